import './csp.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './ui/tokens.css';
import './ui/ui.css';
import './shell/shell.css';
import './overview/overview.css';
import './requests/requests.css';
import './upstreams/upstreams.css';
import './routes/routes.css';
import './settings/settings.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);
