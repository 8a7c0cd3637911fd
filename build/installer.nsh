; The app registers its links for the user who starts it (main/index.ts); they go with it.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\holdfast"
  ${endIf}
!macroend
