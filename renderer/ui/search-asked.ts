/** Comes to the search field when somebody asks for it; the field that hears it prevents the default. */
export const SEARCH_ASKED = 'holdfast-search';

/** Asks for the search field; false when there is none on this page. */
export function askForSearch(): boolean {
  return !window.dispatchEvent(new Event(SEARCH_ASKED, { cancelable: true }));
}
