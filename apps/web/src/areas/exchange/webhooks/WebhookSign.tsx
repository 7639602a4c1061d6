import { Code } from '@mantine/core'
import { Webhook } from '@ordinator/model/areas/exchange/webhook'
import type { Row } from '@ordinator/model/entity'
import { VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { WebhookSecret } from '#records/intake/WebhookSecret.tsx'

const words = {
  keep: 'Сохраните его у получателя.',
  signed: 'Прежний секрет больше не действует.',
  unset: 'Секрет не задан: события не отправляются',
}

const EXAMPLE = `POST /ваш/адрес
Content-Type: application/json
X-Timestamp: 1795392000
X-Signature: sha256=…

{"id":"48213","event":"appointments.create","dt":"2026-11-23T09:30:00+03:00",
 "data":{"path":"appointments","id":512,"idParent":null,"version":1,"fields":["idFilial","dateFrom"]}}`

/** Signature of messages: instructions for the receiver. */
export function WebhookSign({ hook }: { hook: Row<typeof Webhook> }) {
  return (
    <VStack gap={16}>
      <WebhookSecret entity={Webhook} intake={hook} words={words} />
      <VStack gap={4}>
        <Muted>Что приходит</Muted>
        <Code block>{EXAMPLE}</Code>
      </VStack>
      <Fine component="p">
        Подпись — HMAC-SHA256 секретом от строки «время.тело», в шестнадцатеричном виде. Слишком старое время лучше не
        принимать. Ответ 2xx — принято; одно и то же событие может прийти дважды, его узнают по id.
      </Fine>
    </VStack>
  )
}
