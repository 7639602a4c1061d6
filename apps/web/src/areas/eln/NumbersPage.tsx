import { NumberInput, Textarea } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { isNumber, MAX_NUMBERS, numberText } from '@ordinator/model/areas/eln/rules'
import { NumberRequest, numberStates, requestStates, SickNumber } from '@ordinator/model/areas/eln/sickLeave'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { invalidateRecords } from '#records/keys.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { useList } from '#records/reads.ts'
import type { ColumnSpec } from '#records/table/columns.ts'
import classes from './Eln.module.css'
import { toast } from './leave.ts'
import { Notice } from './Notice.tsx'

type Line = Expanded<typeof SickNumber, 'sickLeave'>
type RequestRow = Row<typeof NumberRequest>

const numberFilters = filters(SickNumber, {
  status: choice('status', { options: numberStates, any: 'Любое состояние' }),
})

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'lnCode', width: 170, cell: ({ lnCode }) => <span className="tabular">{numberText(lnCode)}</span> },
  { key: 'status', width: 150 },
  {
    key: 'idSickLeave',
    width: 160,
    cell: ({ idSickLeave }) =>
      idSickLeave ? (
        <PageLink page="sickLeave" params={{ id: idSickLeave }}>
          открыть лист
        </PageLink>
      ) : (
        <Muted>—</Muted>
      ),
  },
  { key: 'note', width: 300 },
  { key: 'dateCreate', width: 160 },
]

/** Номера больничных: pool, requests, and requests with an unknown outcome. */
export default function NumbersPage() {
  const mayAsk = holds(useActor(), 'editEln')
  const [asking, setAsking] = useState(false)
  return (
    <>
      <RegistryPage
        page={pageByKey('elnNumbers')}
        entity={SickNumber}
        expand={['sickLeave']}
        columns={columns}
        filters={numberFilters}
        isMuted={({ status }) => status !== 'free'}
        tools={mayAsk && <ActionButton label="Запросить номера" icon={IconDownload} onClick={() => setAsking(true)} />}
        layout={(list) => (
          <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
            <Requests mayAsk={mayAsk} />
            {list}
          </VStack>
        )}
      />
      {asking && <AskDialog onClose={() => setAsking(false)} />}
    </>
  )
}

const LAST = 3

function Requests({ mayAsk }: { mayAsk: boolean }) {
  const list = useList(NumberRequest, { sort: '-id', limit: LAST }, { forbidden: 'silent', live: ['eln/numbers'] })
  useRevealDelay(list.isPending)
  const [settling, setSettling] = useState<RequestRow>()
  const rows = list.data?.items ?? []
  const unknown = rows.find(({ status }) => status === 'unknown')
  return (
    <>
      {unknown && (
        <Notice icon={IconAlertTriangle} color="orange">
          <HStack wrap justify="space-between">
            <span>
              Ответ на запрос {counted(unknown.count, ['номера', 'номеров', 'номеров'])} от{' '}
              {formatDateTime(unknown.dateCreate)} потерялся. Посмотрите в кабинете СФР, какие номера выданы.
            </span>
            {mayAsk && (
              <ActionButton label="Сказать, что вышло" variant="default" onClick={() => setSettling(unknown)} />
            )}
          </HStack>
        </Notice>
      )}
      {rows.length > 0 && (
        <ul className={classes.events} aria-label="Последние запросы">
          {rows.map(({ id, dateCreate, count, status, received, words }) => (
            <li key={id} data-bad={status === 'refused' || status === 'unknown' || undefined}>
              <Fine>{formatDateTime(dateCreate)}</Fine> просили {count}: {requestStates[status].toLowerCase()}
              {received > 0 && ` ${received}`}
              {words && `, ${words}`}
            </li>
          ))}
        </ul>
      )}
      {settling && <SettleDialog request={settling} onClose={() => setSettling(undefined)} />}
    </>
  )
}

const useFresh = () => {
  const cache = useQueryClient()
  return async () => {
    await Promise.all([invalidateRecords(cache, SickNumber.path), invalidateRecords(cache, NumberRequest.path)])
  }
}

function AskDialog({ onClose }: { onClose: () => void }) {
  const fresh = useFresh()
  const [count, setCount] = useState<number | string>(50)
  const isGood = typeof count === 'number' && count >= 1 && count <= MAX_NUMBERS
  return (
    <ActionDialog
      title="Запросить номера у СФР"
      action="Запросить"
      faults={{ count: !isGood && `От 1 до ${MAX_NUMBERS}` }}
      onClose={onClose}
      run={async () => {
        await api('POST /eln/number-requests', { body: { count: count as number } }, toast)
        await fresh()
        notify.success('Запрос отправлен: номера появятся в списке')
      }}
    >
      {(errorOf) => (
        <NumberInput
          label="Сколько"
          data-autofocus
          min={1}
          max={MAX_NUMBERS}
          allowDecimal={false}
          value={count}
          error={errorOf('count')}
          onChange={setCount}
        />
      )}
    </ActionDialog>
  )
}

function SettleDialog({ request, onClose }: { request: RequestRow; onClose: () => void }) {
  const fresh = useFresh()
  const [text, setText] = useState('')
  const numbers = text
    .split(/[\n,;]+/)
    .map((one) => one.replace(/\s/g, ''))
    .filter(Boolean)
  const bad = numbers.find((one) => !isNumber(one))
  return (
    <ActionDialog
      title="Что вышло из запроса"
      action={numbers.length ? `Записать ${numbers.length}` : 'Номера не выданы'}
      faults={{ numbers: bad && `«${bad}» — не номер: нужно 12 цифр` }}
      onClose={onClose}
      run={async () => {
        await api('POST /eln/number-requests/:id/settle', { params: { id: request.id }, body: { numbers } }, toast)
        await fresh()
      }}
    >
      {(errorOf) => (
        <Textarea
          label="Номера из кабинета СФР"
          description="По одному в строке. Пусто — номера не были выданы"
          autosize
          minRows={4}
          maxRows={14}
          value={text}
          error={errorOf('numbers')}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
    </ActionDialog>
  )
}
