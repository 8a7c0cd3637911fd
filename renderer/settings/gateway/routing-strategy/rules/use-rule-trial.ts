import { useQuery } from '@tanstack/react-query';
import type { RuleTrial, RuleTrialRequest } from '../../../../../shared/rule-trial.ts';
import { bridge } from '../../../../bridge.ts';

/** What rules make of an answer, asked of main with each change of either; the answer before stays until the next one is there. Null asks nothing. */
export function useRuleTrial(request: RuleTrialRequest | null): { readonly trial: RuleTrial | undefined; readonly failed: boolean } {
  const query = useQuery({
    queryKey: ['rules.try', request],
    queryFn: () => (request === null ? Promise.reject(new Error('nothing to try')) : bridge().request['rules.try'](request)),
    enabled: request !== null,
    // Whole bodies: not kept once nobody shows them.
    gcTime: 0,
    placeholderData: (before: RuleTrial | undefined) => (request === null ? undefined : before),
  });
  return { trial: request === null ? undefined : query.data, failed: query.isError };
}
