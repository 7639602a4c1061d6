import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { needsComment, verbs } from '@ordinator/model/areas/tasks/states'
import { type KeyboardEvent, useState } from 'react'

interface Props {
  name: string
  /** `comment`: HTML. Answers whether it was taken. */
  onSend: (comment: string) => Promise<boolean>
  onClose: () => void
}

const MAX_TEXT = 10_000

/** «Вернуть на доработку»: what is to be put right must be said. */
export function SendBack({ name, onSend, onClose }: Props) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    if (!text.trim()) return setFault(needsComment)
    setBusy(true)
    const taken = await onSend(paragraphs(text))
    setBusy(false)
    if (taken) onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
  }
  return (
    <Modal opened onClose={onClose} title={verbs.sendBack.label} size={480}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <Stack gap="sm">
          <div style={{ overflowWrap: 'anywhere' }}>{name}</div>
          <Textarea
            label="Что исправить"
            description="Исполнители увидят это в комментариях и в уведомлении"
            required
            data-autofocus
            autosize
            minRows={3}
            maxRows={10}
            maxLength={MAX_TEXT}
            value={text}
            error={fault}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setFault(undefined)
            }}
            onKeyDown={onKeyDown}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Отмена
            </Button>
            <Button type="submit" loading={busy}>
              Вернуть
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const paragraphs = (text: string): string =>
  text
    .trim()
    .split(/\n+/)
    .map((line) => `<p>${line.replace(/[&<>]/g, (sign) => signs[sign] as string)}</p>`)
    .join('')
