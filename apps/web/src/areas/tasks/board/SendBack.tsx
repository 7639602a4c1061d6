import { needsComment, verbs } from '@ordinator/model/areas/tasks/states'
import { WordsDialog } from '#kit/WordsDialog.tsx'

interface Props {
  name: string
  /** `comment`: HTML. Returns true if accepted. */
  onSend: (comment: string) => Promise<boolean>
  onClose: () => void
}

const MAX_TEXT = 10_000

/** «Вернуть на доработку»: requires a comment. */
export const SendBack = ({ name, onSend, onClose }: Props) => (
  <WordsDialog
    title={verbs.sendBack.label}
    label="Что исправить"
    description="Исполнители увидят это в комментариях и в уведомлении"
    required={needsComment}
    max={MAX_TEXT}
    action="Вернуть"
    run={(words) => onSend(paragraphs(words))}
    onClose={onClose}
  >
    <div style={{ overflowWrap: 'anywhere' }}>{name}</div>
  </WordsDialog>
)

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const paragraphs = (text: string): string =>
  text
    .split(/\n+/)
    .map((line) => `<p>${line.replace(/[&<>]/g, (sign) => signs[sign] as string)}</p>`)
    .join('')
