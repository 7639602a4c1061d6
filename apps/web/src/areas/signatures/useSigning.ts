import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { cryptoPro } from './plugin/cryptoPro.ts'
import type { SigningPlugin } from './plugin/plugin.ts'
import { signatureSimulator } from './plugin/simulator.ts'

export const pluginOf = (plugin: 'cryptopro' | 'simulator'): SigningPlugin =>
  plugin === 'simulator' ? signatureSimulator : cryptoPro

/** Signing plugin of the clinic, and whether the server can check signatures. */
export function useSigning() {
  const { data, error } = useQuery({
    queryKey: ['signatures', 'state'],
    queryFn: ({ signal }) => api('GET /signatures/state', {}, { signal, quiet: true }),
    staleTime: 60_000,
  })
  return {
    plugin: data && pluginOf(data.plugin),
    isSimulator: data?.plugin === 'simulator',
    hasGost: data?.hasGost,
    error,
  }
}
