import { PromptList } from './PromptList.tsx'

/** Подсказки для протоколов. */
export default function ProtocolPromptsPage() {
  return <PromptList kind="protocol" />
}
