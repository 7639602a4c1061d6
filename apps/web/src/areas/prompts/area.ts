import { IconSparkles } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const prompts = {
  icons: {
    prompts: IconSparkles,
  },
  screens: {
    callPrompts: () => import('./CallPromptsPage.tsx'),
    callPrompt: () => import('./CallPromptPage.tsx'),
    protocolPrompts: () => import('./ProtocolPromptsPage.tsx'),
    protocolPrompt: () => import('./ProtocolPromptPage.tsx'),
  },
} satisfies Area
