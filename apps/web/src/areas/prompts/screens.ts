import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  callPrompts: () => import('./CallPromptsPage.tsx'),
  callPrompt: () => import('./CallPromptPage.tsx'),
  protocolPrompts: () => import('./ProtocolPromptsPage.tsx'),
  protocolPrompt: () => import('./ProtocolPromptPage.tsx'),
} satisfies Screens
