// The page is a page: no Node, no other address, no other window, and nobody else is answered.
import { expect, it } from 'vitest';
import { startWorld } from './support/world.ts';

it('the page has no Node, and of Electron only the named functions', async () => {
  const page = await (await startWorld()).page();
  expect(await page.evaluate(() => ['require', 'process', 'module', 'global', 'Buffer', 'electron', 'ipcRenderer'].filter((name) => name in globalThis))).toEqual([]);
  const bridge = await page.evaluate(() => {
    const { holdfast } = window as unknown as { holdfast: Record<string, Record<string, unknown>> };
    return Object.entries(holdfast).map(([part, functions]) => [part, Object.values(functions).every((one) => typeof one === 'function')]);
  });
  expect(bridge).toEqual([['request', true], ['on', true]]);
}, 120_000);

it('the policy is in force: nothing from elsewhere, nothing inline, nothing evaluated', async () => {
  const world = await startWorld();
  const page = await world.page();
  const policy = await page.evaluate(async () => (await fetch('app://holdfast/index.html')).headers.get('content-security-policy'));
  expect(policy).toBe("default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
  const found = await page.evaluate(async (elsewhere) => {
    const seen = new Promise<string[]>((resolve) => {
      const directives: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => {
        directives.push(event.effectiveDirective);
        if (directives.length === 4) resolve(directives.sort());
      });
    });
    const script = document.createElement('script');
    script.textContent = 'globalThis.ran = true';
    document.body.append(script);
    const frame = document.createElement('iframe');
    frame.src = elsewhere;
    document.body.append(frame);
    const fetched = await fetch(elsewhere).then(() => 'fetched', () => 'refused');
    // In a task of the page's own: what a debugger evaluates may evaluate.
    const evaluated = await new Promise((resolve) => {
      setTimeout(() => {
        try {
          // eslint-disable-next-line @typescript-eslint/no-implied-eval -- that it is refused is the claim
          new Function('return 1')();
          resolve('evaluated');
        } catch {
          resolve('refused');
        }
      });
    });
    return { seen: await seen, fetched, evaluated, ran: 'ran' in globalThis };
  }, `${world.url}/healthz`);
  expect(found).toEqual({ fetched: 'refused', evaluated: 'refused', ran: false, seen: ['connect-src', 'frame-src', 'script-src', 'script-src-elem'] });
}, 120_000);

it('the page can neither open a window nor go elsewhere', async () => {
  const world = await startWorld();
  const page = await world.page();
  expect(await page.evaluate(() => window.open('https://example.com/') === null)).toBe(true);
  for (const target of ['https://example.com/', `${world.url}/healthz`, 'file:///etc/passwd', 'app://elsewhere/']) {
    await page.evaluate((url) => { location.href = url; }, target);
  }
  await expect.poll(() => world.app.log().split('a page asked to go elsewhere, refused').length).toBeGreaterThan(2);
  expect(page.url()).toBe('app://holdfast/');
  expect(world.app.electron.windows()).toHaveLength(1);
}, 120_000);

it('the page gets no permission, for whatever it asks', async () => {
  const page = await (await startWorld()).page();
  const answers = await page.evaluate(async () => [
    await Notification.requestPermission(),
    (await navigator.permissions.query({ name: 'geolocation' })).state,
    await navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'granted', () => 'denied'),
    await navigator.clipboard.readText().then(() => 'granted', () => 'denied'),
  ]);
  expect(answers).toEqual(['denied', 'denied', 'denied', 'denied']);
}, 120_000);

it('no file outside the page is served', async () => {
  const page = await (await startWorld()).page();
  const statuses = await page.evaluate(() => Promise.all(['app://holdfast/../main/index.js', 'app://holdfast/..%2fmain%2findex.js', 'app://holdfast/%2e%2e%2fpackage.json', 'app://holdfast/none.js'].map(async (url) => (await fetch(url)).status)));
  expect(statuses).toEqual([404, 404, 404, 404]);
}, 120_000);

it('another window with our preload is not answered, nor is an argument of the wrong shape', async () => {
  const world = await startWorld();
  const page = await world.page();
  const stranger = await world.app.electron.evaluate(async ({ app, BrowserWindow }) => {
    const window = new BrowserWindow({ show: false, webPreferences: { preload: `${app.getAppPath()}/out/preload/index.cjs`, sandbox: true } });
    await window.loadURL('app://holdfast/');
    const answer: unknown = await window.webContents.executeJavaScript("holdfast.request['settings.all'](null).then(() => 'answered', (error) => error.message)");
    window.destroy();
    return answer;
  });
  expect(stranger).toContain('refused');
  const own = await page.evaluate(() => {
    const { request } = (window as unknown as { holdfast: { request: Record<string, (argument: unknown) => Promise<unknown>> } }).holdfast;
    const say = (channel: string, argument: unknown) => Promise.resolve(request[channel]?.(argument)).then(() => 'answered', (error: unknown) => String(error));
    return Promise.all([say('requests.list', { limit: 10_000_000 }), say('settings.set', { key: '__proto__', value: 1 }), say('requests.get', { id: { $gt: '' } })]);
  });
  for (const answer of own) expect(answer).toContain('refused');
}, 120_000);

it('no secret is in the page', async () => {
  const world = await startWorld();
  const page = await world.page();
  const all = await page.evaluate(async () => {
    const { request } = (window as unknown as { holdfast: { request: Record<string, (argument: unknown) => Promise<unknown>> } }).holdfast;
    const answers = await Promise.all(['app.info', 'keys.list', 'settings.all', 'upstreams.list', 'gateway.state'].map((channel) => Promise.resolve(request[channel]?.(null))));
    return JSON.stringify(answers) + document.documentElement.outerHTML;
  });
  expect(world.key).toMatch(/^hf-.{40,}/);
  expect(all).not.toContain(world.key);
  expect(all).not.toContain(world.key.slice(3, 20));
}, 120_000);

it('the window has every lock that Electron has, and a frame or a webview inside it gets nothing', async () => {
  const world = await startWorld();
  const page = await world.page();
  const preferences = await world.app.electron.evaluate(({ webContents }) => webContents.getAllWebContents().map((contents) => (contents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences()));
  expect(preferences).toHaveLength(1);
  expect(preferences[0]).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, webSecurity: true });
  expect(preferences[0]?.['nodeIntegrationInSubFrames'] ?? false).toBe(false);
  const inside = await page.evaluate(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const view = document.createElement('webview');
    view.setAttribute('src', 'https://example.com/');
    document.body.append(view);
    const { contentWindow } = frame;
    return { bridge: contentWindow !== null && 'holdfast' in contentWindow, node: contentWindow !== null && 'require' in contentWindow, view: 'getWebContentsId' in view };
  });
  expect(inside).toEqual({ bridge: false, node: false, view: false });
  expect(await world.app.electron.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1);
}, 120_000);
