/** The pages of the window, in the order of its side bar. */
export const PAGE_NAMES = ['overview', 'requests', 'upstreams', 'routes', 'settings'] as const;
export type PageName = (typeof PAGE_NAMES)[number];

/** The sections of the settings, as the page names them; in a link the underscores are hyphens. */
export const SETTINGS_SECTIONS = ['general', 'server', 'routing_strategy', 'timeouts', 'health', 'limits', 'security', 'logs', 'prices', 'data', 'about'] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

/** Where a `holdfast://` link leads: to a page, and there at most to one thing. Nothing in it changes anything. */
export type LinkTarget =
  | { readonly page: Exclude<PageName, 'requests' | 'settings'> }
  /** `id` names a row of the log, which may be gone; null is the list. */
  | { readonly page: 'requests'; readonly id: string | null }
  | { readonly page: 'settings'; readonly section: SettingsSection | null };
