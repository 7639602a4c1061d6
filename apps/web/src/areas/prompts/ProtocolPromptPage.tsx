import { PromptView } from './PromptView.tsx'

/** Подсказка для протокола. */
export default function ProtocolPromptPage() {
  return <PromptView list="protocolPrompts" />
}
