import type { MenuItemConstructorOptions } from 'electron';
import type { GatewayState } from '../../shared/events.ts';
import type { PageName } from '../../shared/ipc.ts';
import type { Translate } from './i18n.ts';

export interface MenuActions {
  navigate(page: PageName): void;
  /** Goes to the requests and their search field. */
  search(): void;
  setAccepting(accepting: boolean): void;
  quit(): void;
}

/** The application's menu: on macOS in the bar at the top, elsewhere behind the Alt key. */
export function appMenu(platform: NodeJS.Platform, name: string, developer: boolean, gateway: GatewayState, actions: MenuActions, t: Translate): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin';
  const settings: MenuItemConstructorOptions = { label: t('native.menu.settings'), accelerator: 'CmdOrCtrl+,', click: () => { actions.navigate('settings'); } };
  const closed = gateway.status === 'running' && gateway.closed === true;
  const pause: MenuItemConstructorOptions = { label: t('native.pause_accepting'), type: 'checkbox', checked: closed, enabled: gateway.status === 'running', click: () => { actions.setAccepting(closed); } };
  const quit: MenuItemConstructorOptions = { label: t('native.menu.quit', { name }), accelerator: 'CmdOrCtrl+Q', click: () => { actions.quit(); } };
  const app: MenuItemConstructorOptions = {
    label: name,
    submenu: [
      { role: 'about', label: t('native.menu.about', { name }) },
      { type: 'separator' },
      settings,
      pause,
      { type: 'separator' },
      { role: 'hide', label: t('native.menu.hide', { name }) },
      { role: 'hideOthers', label: t('native.menu.hide_others') },
      { role: 'unhide', label: t('native.menu.unhide') },
      { type: 'separator' },
      quit,
    ],
  };
  const file: MenuItemConstructorOptions = { label: t('native.menu.file'), submenu: [settings, pause, { type: 'separator' }, { role: 'close', label: t('native.menu.close') }, quit] };
  return [
    mac ? app : file,
    { label: t('native.menu.edit'), submenu: editItems(actions, t) },
    { label: t('native.menu.view'), submenu: viewItems(developer, actions, t) },
    { label: t('native.menu.window'), submenu: [{ role: 'minimize', label: t('native.menu.minimise') }, { role: 'close', label: t('native.menu.close') }] },
  ];
}

function editItems(actions: MenuActions, t: Translate): MenuItemConstructorOptions[] {
  return [
    { role: 'undo', label: t('native.menu.undo') },
    { role: 'redo', label: t('native.menu.redo') },
    { type: 'separator' },
    { role: 'cut', label: t('native.menu.cut') },
    { role: 'copy', label: t('native.menu.copy') },
    { role: 'paste', label: t('native.menu.paste') },
    { role: 'selectAll', label: t('native.menu.select_all') },
    { type: 'separator' },
    { label: t('native.menu.find'), accelerator: 'CmdOrCtrl+F', click: () => { actions.search(); } },
  ];
}

function viewItems(developer: boolean, actions: MenuActions, t: Translate): MenuItemConstructorOptions[] {
  const page = (name: PageName, label: string, key: string): MenuItemConstructorOptions => ({ label, accelerator: `CmdOrCtrl+${key}`, click: () => { actions.navigate(name); } });
  return [
    page('overview', t('native.menu.overview'), '1'),
    page('requests', t('native.menu.requests'), '2'),
    page('upstreams', t('native.menu.upstreams'), '3'),
    page('routes', t('native.menu.routes'), '4'),
    page('settings', t('native.menu.settings'), '5'),
    { type: 'separator' },
    { role: 'resetZoom', label: t('native.menu.actual_size') },
    { role: 'zoomIn', label: t('native.menu.zoom_in') },
    { role: 'zoomOut', label: t('native.menu.zoom_out') },
    { role: 'togglefullscreen', label: t('native.menu.full_screen') },
    ...(developer ? [{ type: 'separator' } as const, { role: 'reload', label: t('native.menu.reload') } as const, { role: 'toggleDevTools', label: t('native.menu.developer_tools') } as const] : []),
  ];
}
