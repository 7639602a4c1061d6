import { Prompt, PromptRun, PromptVersion } from './prompt.ts'

/** Entities of this area. */
export const entities = [Prompt, PromptVersion, PromptRun] as const
