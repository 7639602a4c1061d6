import type { State } from './common.ts'
import { registry } from './common.ts'

export const prompts = {
  callPrompts: registry,
  callPrompt: [
    { at: () => '/app/call-prompts/1?tab=text' },
    { name: 'versions', at: () => '/app/call-prompts/1?tab=versions' },
  ],
  protocolPrompts: registry,
  protocolPrompt: [{ at: () => '/app/protocol-prompts/3?tab=text' }],
  metrikaGoals: [{}],
  // Written only by other systems, never created by hand.
  metrikaUploads: [{}],
  transcripts: [{}],
} satisfies Record<string, readonly State[]>
