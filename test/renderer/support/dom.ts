import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// What jsdom lacks of a window: media queries (wide, light, without motion), sizes that let a virtual list draw, an observer that stays still.
const list = (query: string) => ({ matches: /min-width|reduced-motion/.test(query), media: query, addEventListener: () => undefined, removeEventListener: () => undefined, addListener: () => undefined, removeListener: () => undefined, onchange: null, dispatchEvent: () => false });
Object.defineProperty(window, 'matchMedia', { configurable: true, value: list });
Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 600 });
Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => 1_000 });
Object.defineProperty(HTMLElement.prototype, 'scrollIntoView', { configurable: true, value: () => undefined });
Object.defineProperty(HTMLElement.prototype, 'scrollTo', { configurable: true, value: () => undefined });
globalThis.ResizeObserver = class {
  observe(): void { /* Sizes never change here. */ }
  unobserve(): void { /* Sizes never change here. */ }
  disconnect(): void { /* Sizes never change here. */ }
};

// Two cores, shared: a slow answer is no wrong one.
configure({ asyncUtilTimeout: 8_000 });

// Toasts live outside React: one of a test before would show in the next.
afterEach(() => {
  cleanup();
  notifications.clean();
  notifications.cleanQueue();
});
