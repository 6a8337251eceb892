"""What make calls: which notebooks have to run and why (`plan`), running one (`execute`), gathering a run (`collect`)."""
