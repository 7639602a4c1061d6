import { Code } from '@mantine/core'
import { IconDownload, IconEye, IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { act, type Message, mayCancel, mayRepeat } from './messageActions.tsx'

type Body = Answer<'POST /exchange/messages/:id/open'>

/** Content of a message, shown after a reason is given; with actions. */
export function MessageBody({ message }: { message: Message }) {
  const cache = useQueryClient()
  const [body, setBody] = useState<Body>()
  const [asks, setAsks] = useState(false)
  return (
    <VStack gap={16}>
      <HStack wrap>
        {mayRepeat(message) && (
          <ActionButton
            label="Отправить снова"
            icon={IconRefresh}
            onClick={() => void act(cache, 'repeat', [message.id])}
          />
        )}
        {mayCancel(message) && (
          <ActionButton
            label="Больше не отправлять"
            icon={IconPlayerStop}
            variant="default"
            onClick={() => void act(cache, 'cancel', [message.id])}
          />
        )}
        {message.hasBody && !body && (
          <ActionButton label="Показать содержание" icon={IconEye} variant="default" onClick={() => setAsks(true)} />
        )}
        {body && (
          <ActionButton
            label="Скачать"
            icon={IconDownload}
            variant="default"
            onClick={() => download(`обмен-${message.id}.json`, { ...message, ...body })}
          />
        )}
      </HStack>
      {!message.hasBody && (
        <Muted>Содержание не хранится: что было сказано, видно там, откуда сообщение отправлено.</Muted>
      )}
      {message.hasBody && !body && <Fine>Обращение к содержанию остаётся в журнале доступа.</Fine>}
      {body && (
        <>
          <BodyText title="Отправлено" text={body.request} />
          <BodyText title="Ответ" text={body.response} />
        </>
      )}
      {asks && (
        <WordsDialog
          title="Показать содержание"
          label="Зачем"
          description="Причина остаётся в журнале доступа"
          required
          max={500}
          action="Показать"
          run={async (reason) =>
            setBody(await api('POST /exchange/messages/:id/open', { params: { id: message.id }, body: { reason } }))
          }
          onClose={() => setAsks(false)}
        />
      )}
    </VStack>
  )
}

function BodyText({ title, text }: { title: string; text: string | null }) {
  return (
    <VStack gap={4}>
      <Muted>{title}</Muted>
      {text ? <Code block>{pretty(text)}</Code> : <span>Ничего</span>}
    </VStack>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function download(name: string, contents: object): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(contents, null, 2)], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
