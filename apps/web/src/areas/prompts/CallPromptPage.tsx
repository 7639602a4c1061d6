import { PromptView } from './PromptView.tsx'

/** Подсказка для звонка. */
export default function CallPromptPage() {
  return <PromptView list="callPrompts" />
}
