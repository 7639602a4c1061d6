import { Alert } from '@mantine/core'
import { MessageTemplate } from '@ordinator/model/areas/messages/messageTemplate'
import { counted, formatMoney } from '@ordinator/model/format'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useRecord } from '#records/reads.ts'

const people: [string, string, string] = ['клиенту', 'клиентам', 'клиентам']

/** Sends a template's text to the selected customers. */
export default function MailDialog({
  customers,
  onSent,
  onClose,
}: {
  customers: readonly number[]
  onSent: () => void
  onClose: () => void
}) {
  const [id, setId] = useState<number | null>(null)
  const template = useRecord(MessageTemplate, id ?? undefined)
  const run = async () => {
    const body = { customers: [...customers] }
    const { queued, already, unreached } = await api(
      'POST /message-templates/:id/send',
      { params: { id: id as number }, body },
      { forbidden: 'toast' },
    )
    const left = [
      already > 0 && `сегодня уже писали: ${already}`,
      unreached > 0 && `написать нечем или нет согласия: ${unreached}`,
    ].filter(Boolean)
    if (queued > 0) notify.success([`Напишем ${counted(queued, people)}`, ...left].join('; '))
    else notify.info(`Никому не уйдёт: ${left.join('; ')}`)
    onSent()
  }
  return (
    <ActionDialog
      title={`Написать ${counted(customers.length, people)}`}
      action="Отправить"
      disabled={id === null}
      run={run}
      onClose={onClose}
    >
      {() => (
        <VStack gap={12}>
          <RefSelect
            to={MessageTemplate.path}
            filter={{ event: 'custom', active: 'true' }}
            label="Шаблон рассылки"
            description="Включённые шаблоны с событием «Рассылка»"
            required
            value={id}
            onChange={setId}
            autoFocus
          />
          {template.data && id !== null && (
            <Block framed p={12} className="breaks">
              {template.data.text}
            </Block>
          )}
          {template.data?.advertising && id !== null && (
            <Alert color="yellow" variant="light">
              Это реклама: уйдёт только тем, чьё согласие на неё действует.
            </Alert>
          )}
          {id !== null && <Cost id={id} customers={customers} />}
          <Fine component="p">
            Уйдёт в часы, когда можно писать пациентам. Одному клиенту тем же шаблоном — раз в день.
          </Fine>
        </VStack>
      )}
    </ActionDialog>
  )
}

/** Maximum cost of the mailing. */
function Cost({ id, customers }: { id: number; customers: readonly number[] }) {
  const { data } = useQuery({
    queryKey: ['message-templates/estimate', id, customers],
    queryFn: ({ signal }) =>
      api(
        'POST /message-templates/:id/estimate',
        { params: { id }, body: { customers: [...customers] } },
        { signal, quiet: true, forbidden: 'silent' },
      ),
  })
  // Without parts no text message is sent: there is no provider, or the template has another channel.
  if (!data || data.parts === 0) return null
  const { people: count, parts, cost } = data
  if (count === 0) return <p role="status">По СМС никому не уйдёт: нет номера или согласия</p>
  return (
    <p role="status">
      СМС: {count} из {counted(customers.length, ['клиента', 'клиентов', 'клиентов'])}, не больше{' '}
      {counted(parts, ['части', 'частей', 'частей'])} в сообщении
      {cost !== null && `, до ${formatMoney(cost)}`}
    </p>
  )
}
