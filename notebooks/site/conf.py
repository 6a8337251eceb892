"""Configuration of the write-up: built from executed notebooks and prose pages, requesting nothing from anywhere."""

project = "rocite"
author = "The rocite authors"
copyright = "2026, The rocite authors, MIT licence"
language = "en"

extensions = ["myst_nb"]
nb_execution_mode = "off"  # what was executed is shown; nothing runs while the site is built
nb_ipywidgets_js = {}  # widgets would be fetched from elsewhere
nb_merge_streams = True
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
myst_enable_extensions = ["colon_fence", "attrs_block", "attrs_inline"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = "rocite"
html_static_path = ["static"]
html_css_files = ["rocite.css"]
html_js_files = ["explorer.js"]
html_show_search_summary = False  # summaries would be fetched page by page, which a page opened from disk may not
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_use_index = False
html_domain_indices = False
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": {"color-brand-primary": "#08457e", "color-brand-content": "#08457e"},
    "dark_css_variables": {"color-brand-primary": "#8fc1f0", "color-brand-content": "#8fc1f0"},
}
