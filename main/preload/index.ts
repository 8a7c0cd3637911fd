import { contextBridge, ipcRenderer } from 'electron';
import type { Bridge, IpcEvents, IpcRequests, TextChannel } from '../../shared/ipc.ts';

type Requests = Bridge['request'];
type Listener<K extends keyof IpcEvents> = (payload: IpcEvents[K]) => void;

function invoke<K extends keyof IpcRequests>(channel: K, argument: IpcRequests[K]['argument']): Promise<IpcRequests[K]['answer']> {
  return ipcRenderer.invoke(channel, argument) as Promise<IpcRequests[K]['answer']>;
}

// Read here: main passes it on as it came from the thread that read the log.
async function invokeText<K extends TextChannel>(channel: K, argument: IpcRequests[K]['argument']): Promise<IpcRequests[K]['answer']> {
  return JSON.parse(await ipcRenderer.invoke(channel, argument) as string) as IpcRequests[K]['answer'];
}

function listen<K extends keyof IpcEvents>(channel: K, listener: Listener<K>): () => void {
  // The event object stays here: it would give the page the sender and its ports.
  const pass = (_event: unknown, payload: IpcEvents[K]): void => { listener(payload); };
  ipcRenderer.on(channel, pass);
  return () => { ipcRenderer.off(channel, pass); };
}

// One function per channel, written out: the page can reach these names and no other.
const request: Requests = {
  'app.info': (argument) => invoke('app.info', argument),
  'gateway.state': (argument) => invoke('gateway.state', argument),
  'gateway.use_port': (argument) => invoke('gateway.use_port', argument),
  'gateway.set_accepting': (argument) => invoke('gateway.set_accepting', argument),
  'keys.list': (argument) => invoke('keys.list', argument),
  'keys.add': (argument) => invoke('keys.add', argument),
  'keys.rename': (argument) => invoke('keys.rename', argument),
  'keys.set_disabled': (argument) => invoke('keys.set_disabled', argument),
  'keys.rotate': (argument) => invoke('keys.rotate', argument),
  'keys.remove': (argument) => invoke('keys.remove', argument),
  'clipboard.copy': (argument) => invoke('clipboard.copy', argument),
  'settings.all': (argument) => invoke('settings.all', argument),
  'settings.set': (argument) => invoke('settings.set', argument),
  'rules.try': (argument) => invoke('rules.try', argument),
  'requests.list': (argument) => invokeText('requests.list', argument),
  'requests.get': (argument) => invoke('requests.get', argument),
  'requests.contents': (argument) => invoke('requests.contents', argument),
  'logs.clear': (argument) => invoke('logs.clear', argument),
  'requests.count': (argument) => invoke('requests.count', argument),
  'requests.facets': (argument) => invoke('requests.facets', argument),
  'figures.get': (argument) => invoke('figures.get', argument),
  'log.status': (argument) => invoke('log.status', argument),
  'requests.export': (argument) => invoke('requests.export', argument),
  'requests.export_cancel': (argument) => invoke('requests.export_cancel', argument),
  'exchanges.in_flight': (argument) => invoke('exchanges.in_flight', argument),
  'exchanges.retry_now': (argument) => invoke('exchanges.retry_now', argument),
  'exchanges.give_up': (argument) => invoke('exchanges.give_up', argument),
  'upstreams.list': (argument) => invoke('upstreams.list', argument),
  'upstreams.add': (argument) => invoke('upstreams.add', argument),
  'upstreams.update': (argument) => invoke('upstreams.update', argument),
  'upstreams.remove': (argument) => invoke('upstreams.remove', argument),
  'upstreams.restore': (argument) => invoke('upstreams.restore', argument),
  'upstreams.reorder': (argument) => invoke('upstreams.reorder', argument),
  'upstreams.set_enabled': (argument) => invoke('upstreams.set_enabled', argument),
  'upstreams.used_by': (argument) => invoke('upstreams.used_by', argument),
  'upstreams.models': (argument) => invoke('upstreams.models', argument),
  'upstreams.test': (argument) => invoke('upstreams.test', argument),
  'routes.list': (argument) => invoke('routes.list', argument),
  'routes.save': (argument) => invoke('routes.save', argument),
  'routes.remove': (argument) => invoke('routes.remove', argument),
  'routes.restore': (argument) => invoke('routes.restore', argument),
  'routes.reorder': (argument) => invoke('routes.reorder', argument),
  'routes.preview': (argument) => invoke('routes.preview', argument),
  'routes.dry_run': (argument) => invoke('routes.dry_run', argument),
  'prices.list': (argument) => invoke('prices.list', argument),
  'prices.set': (argument) => invoke('prices.set', argument),
  'prices.remove': (argument) => invoke('prices.remove', argument),
  'health.list': (argument) => invoke('health.list', argument),
  'health.reset': (argument) => invoke('health.reset', argument),
  'document.open': (argument) => invoke('document.open', argument),
  'document.unlock': (argument) => invoke('document.unlock', argument),
  'document.apply': (argument) => invoke('document.apply', argument),
  'document.forget': (argument) => invoke('document.forget', argument),
  'document.undo': (argument) => invoke('document.undo', argument),
  'document.export': (argument) => invoke('document.export', argument),
  'backups.list': (argument) => invoke('backups.list', argument),
  'backups.make': (argument) => invoke('backups.make', argument),
  'backups.open': (argument) => invoke('backups.open', argument),
  'data.reset': (argument) => invoke('data.reset', argument),
  'data.open_folder': (argument) => invoke('data.open_folder', argument),
  'data.notices': (argument) => invoke('data.notices', argument),
  'data.notices_seen': (argument) => invoke('data.notices_seen', argument),
  'diagnostics.collect': (argument) => invoke('diagnostics.collect', argument),
  'diagnostics.save': (argument) => invoke('diagnostics.save', argument),
  'about.licences': (argument) => invoke('about.licences', argument),
  'about.open_link': (argument) => invoke('about.open_link', argument),
  'updates.state': (argument) => invoke('updates.state', argument),
  'updates.check': (argument) => invoke('updates.check', argument),
  'updates.download': (argument) => invoke('updates.download', argument),
  'updates.install': (argument) => invoke('updates.install', argument),
  'notices.take': (argument) => invoke('notices.take', argument),
  'app.seal_secrets': (argument) => invoke('app.seal_secrets', argument),
  'app.login_start': (argument) => invoke('app.login_start', argument),
  'first_steps.get': (argument) => invoke('first_steps.get', argument),
  'first_steps.dismiss': (argument) => invoke('first_steps.dismiss', argument),
  'demo.send': (argument) => invoke('demo.send', argument),
  'demo.set': (argument) => invoke('demo.set', argument),
  'link.take': (argument) => invoke('link.take', argument),
};

const on: Bridge['on'] = {
  'exchanges.events': (listener) => listen('exchanges.events', listener),
  'exchanges.snapshot': (listener) => listen('exchanges.snapshot', listener),
  'log.status_changed': (listener) => listen('log.status_changed', listener),
  'export.progress': (listener) => listen('export.progress', listener),
  'settings.changed': (listener) => listen('settings.changed', listener),
  'gateway.changed': (listener) => listen('gateway.changed', listener),
  'keys.changed': (listener) => listen('keys.changed', listener),
  'upstreams.changed': (listener) => listen('upstreams.changed', listener),
  'routes.changed': (listener) => listen('routes.changed', listener),
  'health.changed': (listener) => listen('health.changed', listener),
  'first_steps.changed': (listener) => listen('first_steps.changed', listener),
  'updates.changed': (listener) => listen('updates.changed', listener),
  'notices.waiting': (listener) => listen('notices.waiting', listener),
  'app.search': (listener) => listen('app.search', listener),
  'app.navigate': (listener) => listen('app.navigate', listener),
  'link.followed': (listener) => listen('link.followed', listener),
  'app.info_changed': (listener) => listen('app.info_changed', listener),
};

contextBridge.exposeInMainWorld('holdfast', { request, on } satisfies Bridge);
