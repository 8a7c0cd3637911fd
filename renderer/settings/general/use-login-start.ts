import { useQuery } from '@tanstack/react-query';
import type { LoginStart } from '../../../shared/desktop.ts';
import { bridge } from '../../bridge.ts';
import { keyOf } from '../../data/query.ts';

/** Whether the system starts the app at login; asked anew when the setting changes. Undefined until main has told. */
export function useLoginStart(setting: boolean): LoginStart | undefined {
  return useQuery({ queryKey: [...keyOf('app.login_start'), setting], queryFn: () => bridge().request['app.login_start'](null) }).data;
}
