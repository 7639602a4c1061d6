import { PromptList } from './PromptList.tsx'

/** Подсказки для звонков. */
export default function CallPromptsPage() {
  return <PromptList kind="call" />
}
