@rem "exec" in the npm scripts lets the program take the place of the shell, or signals would end there. Windows has neither: it just runs.
@%*
