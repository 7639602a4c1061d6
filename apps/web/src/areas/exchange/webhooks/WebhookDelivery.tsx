import { Alert } from '@mantine/core'
import { ExchangeMessage } from '@ordinator/model/areas/exchange/exchangeMessage'
import { Webhook } from '@ordinator/model/areas/exchange/webhook'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconPlugConnected, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGo } from '#base/address.ts'
import { type Answer, api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RecordTable } from '#records/RecordTable.tsx'
import { useMessageActions } from '../messageActions.tsx'
import { messageColumns } from '../messageColumns.tsx'

type Tried = Answer<'POST /webhooks/:id/test'>

const OWN = new Set(['dateCreate', 'operation', 'idEntity', 'status', 'attempts', 'errorText'])
const columns = messageColumns.filter(({ key }) => OWN.has(key))

/** Deliveries of a webhook, failures, and a test. */
export function WebhookDelivery({ hook }: { hook: Row<typeof Webhook> }) {
  const cache = useQueryClient()
  const go = useGo()
  const [busy, setBusy] = useState<'test' | 'repeat'>()
  const [tried, setTried] = useState<Tried>()
  const run = async (what: 'test' | 'repeat', ask: () => Promise<unknown>) => {
    setBusy(what)
    try {
      await ask()
    } catch (error) {
      notifyFailure(error as Error)
    }
    await Promise.all([invalidateRecords(cache, ExchangeMessage.path), invalidateRecords(cache, Webhook.path)])
    setBusy(undefined)
  }
  const asked = { params: { id: hook.id } }
  const test = () => run('test', async () => setTried(await api('POST /webhooks/:id/test', asked)))
  const repeat = () =>
    run('repeat', async () => {
      const { changed } = await api('POST /webhooks/:id/repeat', asked)
      notify.success(`Отправляем снова: ${counted(changed, ['событие', 'события', 'событий'])}`)
    })
  return (
    <VStack gap={12}>
      <HStack wrap>
        <ActionButton
          label="Проверить"
          icon={IconPlugConnected}
          variant="default"
          loading={busy === 'test'}
          disabled={busy !== undefined}
          onClick={() => void test()}
        />
        {hook.stopped > 0 && (
          <ActionButton
            label={`Отправить снова недоставленное: ${hook.stopped}`}
            icon={IconRefresh}
            loading={busy === 'repeat'}
            disabled={busy !== undefined}
            onClick={() => void repeat()}
          />
        )}
      </HStack>
      {tried && (
        <Alert
          color={tried.status === 'done' ? 'teal' : 'red'}
          variant="light"
          role="status"
          title={tried.status === 'done' ? 'Получатель принял проверочное событие' : 'Проверочное событие не принято'}
        >
          {[tried.error ?? `Ответ ${tried.code}`, `за ${tried.durationMs} мс`].join(', ')}
          {tried.answer && ` · ${tried.answer.slice(0, 200)}`}
        </Alert>
      )}
      <RecordTable
        entity={ExchangeMessage}
        filter={{ idWebhook: hook.id }}
        columns={columns}
        prefix="d"
        bare
        actions={useMessageActions()}
        onOpen={({ id }) => go({ page: 'exchangeJournal', search: { open: id } })}
        empty={{ title: 'Пока ничего не отправлено', text: 'Здесь будет каждое событие, о котором узнала эта система' }}
      />
    </VStack>
  )
}
