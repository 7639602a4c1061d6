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
  // What is told by other systems alone: nobody makes a record of it by hand.
  metrikaUploads: [{}],
  transcripts: [{}],
} satisfies Record<string, readonly State[]>
