import { Select, Textarea } from '@mantine/core'
import { allowed, holds } from '@ordinator/model/access'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { ordersEdit } from '@ordinator/model/areas/laboratory/access'
import { LabOrder, paidStates } from '@ordinator/model/areas/laboratory/order'
import {
  type CancelReason,
  cancelReasons,
  itemStatuses,
  type OrderStep,
  rejectReasons,
  sampleStatuses,
  wrongOrderStep,
} from '@ordinator/model/areas/laboratory/states'
import { valueWords } from '@ordinator/model/areas/laboratory/values'
import { biomaterials, temperatures, urgencies } from '@ordinator/model/areas/laboratory/words'
import { User } from '@ordinator/model/areas/staff/user'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { messages } from '@ordinator/model/messages'
import { pageByKey } from '@ordinator/model/pages'
import {
  IconBarcode,
  IconBuildingBank,
  IconCash,
  IconCheck,
  IconCopy,
  IconDeviceMobile,
  IconFileTypePdf,
  IconMail,
  IconMessage,
  IconPrinter,
  IconX,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerChip } from '#areas/customers/index.ts'
import { TakeDialog } from '#areas/money/index.ts'
import { useGo } from '#base/address.ts'
import { api, apiUrl } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { download } from '#base/http.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useHold } from '#kit/Holding.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useRecord } from '#records/reads.ts'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { tellFailure } from '#records/tellFailure.ts'
import { HistoryDialog } from './HistoryDialog.tsx'
import classes from './Laboratory.module.css'
import { laboratoryLive, type OrderLines, readLaboratory, useLines } from './reads.ts'
import { FlagMark, OrderBadge, SampleBadge, TableFrame, TubeCap } from './words.tsx'

type OrderRow = Row<typeof LabOrder>
const papers = {
  order: 'Заказ с ценами и подготовкой',
  referral: 'Направление',
  contract: 'Договор',
  result: 'Бланк результата',
} as const

/** Заказ анализов: tests and values, tubes, payment, papers. */
export default function OrderPage() {
  return (
    <RegistryRecordPage
      entity={LabOrder}
      list={pageByKey('labOrders')}
      live={[...laboratoryLive, 'coupon-services', 'payments']}
      help={({ urgency, diagnosis, comment }) =>
        [urgency === 'cito' && urgencies.cito, diagnosis, comment].filter(Boolean).join(' · ')
      }
      actions={(order) => <OrderActions order={order} />}
      under={(order) => <OrderHead order={order} />}
      main={{ label: 'Исследования', panel: (order) => <Tests order={order} /> }}
      tabs={{ samples: { label: 'Пробы', panel: (order) => <Samples order={order} /> } }}
    />
  )
}

function OrderHead({ order }: { order: OrderRow }) {
  const { status, sum, paid, paidStatus, cost, dueAt, isLate, takenAt, doneAt, issuedAt, cancelReason, cancelNote } =
    order
  const customer = useRecord(Customer, order.idCustomer, {}, { forbidden: 'silent' })
  const doctor = useRecord(User, order.idDoctor ?? undefined, {}, { forbidden: 'silent' })
  useHold(customer.isLoading)
  const facts: readonly (readonly [string, string])[] = [
    ['Сумма', formatMoney(sum)],
    ['Оплата', paidStatus === 'part' ? `${formatMoney(paid)} из ${formatMoney(sum)}` : paidStates[paidStatus]],
    ['Себестоимость', formatMoney(cost)],
    ['Срок', dueAt ? `${formatDateTime(dueAt)}${isLate ? ', просрочен' : ''}` : '—'],
    ['Взят', takenAt ? formatDateTime(takenAt) : '—'],
    [issuedAt ? 'Выдан' : 'Готов', issuedAt || doneAt ? formatDateTime(issuedAt ?? (doneAt as string)) : '—'],
  ]
  return (
    <VStack gap={12} mb={8}>
      <HStack wrap gap="6px 16px">
        <OrderBadge status={status} size="lg" />
        {customer.data && <CustomerChip customer={customer.data} />}
        {doctor.data && (
          <Fine>
            назначил <UserLink user={doctor.data} />
          </Fine>
        )}
        {cancelReason && <Fine>{[cancelReasons[cancelReason], cancelNote].filter(Boolean).join(': ')}</Fine>}
      </HStack>
      <dl className={classes.facts} aria-label="Заказ">
        {facts.map(([label, value]) => (
          <div key={label} className={classes.fact}>
            <dt>{label}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
    </VStack>
  )
}

function OrderActions({ order }: { order: OrderRow }) {
  const { id, number, status, paidStatus, _version } = order
  const actor = useActor()
  const go = useGo()
  const cache = useQueryClient()
  const [open, setOpen] = useState<'cancel' | 'pay'>()
  const lines = useLines(id)
  const can = (step: OrderStep) => wrongOrderStep(step, status) === undefined
  const mayEdit = allowed(actor, ordersEdit)
  const read = async () => {
    await invalidateRecords(cache, LabOrder.path)
    await readLaboratory(cache)
  }
  const confirm = useMutation({
    mutationFn: () =>
      api('POST /laboratory/orders/:id/place', { params: { id }, body: { _version } }, { forbidden: 'toast' }),
    onError: tellFailure,
    onSuccess: async () => {
      await read()
      notify.success('Заказ оформлен')
    },
  })
  const issue = useMutation({
    mutationFn: (by: 'paper' | 'email' | 'portal' | 'chat') =>
      api('POST /laboratory/orders/:id/issue', { params: { id }, body: { by } }, { forbidden: 'toast' }),
    onError: tellFailure,
    onSuccess: async () => {
      await read()
      notify.success('Выдача результата записана')
    },
  })
  const print = async (kind: keyof typeof papers) => {
    try {
      await download(
        apiUrl('GET /laboratory/orders/:id/paper', { params: { id }, query: { kind } }),
        `${papers[kind]} ${number}.pdf`,
      )
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Не распечатано' })
    }
  }
  const labels = async () => {
    try {
      await download(apiUrl('GET /laboratory/orders/:id/labels', { params: { id } }), `Этикетки ${number}.pdf`)
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Этикетки не напечатаны' })
    }
  }
  const partnerPaper = async () => {
    try {
      await download(
        apiUrl('GET /laboratory/orders/:id/partner-paper', { params: { id } }),
        `Бланк партнёра ${number}.pdf`,
      )
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Бланк партнёра не открыт' })
    }
  }
  const semd = useMutation({
    mutationFn: () => api('POST /egisz/semds/make', { body: { source: 'laboratory', id } }, { forbidden: 'toast' }),
    onError: tellFailure,
    onSuccess: (made) => void go({ page: 'semds', search: { open: made.id } }),
  })
  const zpl = async () => {
    try {
      const { zpl: text } = await api('GET /laboratory/orders/:id/zpl', { params: { id } })
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
      link.download = `Этикетки ${number}.zpl`
      link.click()
      URL.revokeObjectURL(link.href)
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Этикетки не напечатаны' })
    }
  }
  const isPlaced = status !== 'draft' && status !== 'cancelled'
  useHotkey('l', () => void labels(), { label: 'Этикетки', group: 'Заказ анализов', enabled: isPlaced })
  return (
    <>
      {can('place') && mayEdit && (
        <ActionButton label="Оформить" icon={IconCheck} loading={confirm.isPending} onClick={() => confirm.mutate()} />
      )}
      {isPlaced && (paidStatus === 'unpaid' || paidStatus === 'part') && allowed(actor, 'takePayments') && (
        <ActionButton label="Принять оплату" icon={IconCash} onClick={() => setOpen('pay')} />
      )}
      {isPlaced && <ActionButton label="Этикетки" icon={IconBarcode} variant="default" onClick={() => void labels()} />}
      {can('issue') && allowed(actor, 'issueLabResults') && (
        <ActionMenu label="Выдать результат" icon={IconPrinter} variant={status === 'done' ? 'filled' : 'default'}>
          <MenuItem
            label="Напечатать и выдать"
            icon={IconPrinter}
            onClick={() => {
              void print('result')
              issue.mutate('paper')
            }}
          />
          <MenuItem label="На почту пациента" icon={IconMail} onClick={() => issue.mutate('email')} />
          <MenuItem label="В личный кабинет" icon={IconDeviceMobile} onClick={() => issue.mutate('portal')} />
          <MenuItem label="Сообщить в переписке" icon={IconMessage} onClick={() => issue.mutate('chat')} />
        </ActionMenu>
      )}
      <ActionMenu label="Другие действия" variant="default" width={270}>
        {(Object.keys(papers) as (keyof typeof papers)[])
          .filter((kind) => (kind === 'result' ? can('issue') : isPlaced))
          .map((kind) => (
            <MenuItem key={kind} label={papers[kind]} icon={IconFileTypePdf} onClick={() => void print(kind)} />
          ))}
        {lines.data?.hasPartnerPaper && (
          <MenuItem label="Бланк лаборатории-партнёра" icon={IconFileTypePdf} onClick={() => void partnerPaper()} />
        )}
        {(status === 'done' || status === 'issued') &&
          (holds(actor, 'manageSignatures') || holds(actor, 'editExaminations')) && (
            <MenuItem label="Документ для ЕГИСЗ" icon={IconBuildingBank} onClick={() => semd.mutate()} />
          )}
        {isPlaced && <MenuItem label="Этикетки для принтера (ZPL)" icon={IconBarcode} onClick={() => void zpl()} />}
        {mayEdit && (
          <MenuItem
            label="Повторить заказ"
            icon={IconCopy}
            onClick={() => void go({ page: 'newLabOrder', search: { copy: id } })}
          />
        )}
        {mayEdit && can('cancel') && (
          <MenuItem label="Отменить заказ…" danger icon={IconX} onClick={() => setOpen('cancel')} />
        )}
      </ActionMenu>
      {open === 'cancel' && <CancelDialog order={order} onDone={read} onClose={() => setOpen(undefined)} />}
      {open === 'pay' && order.idAppointment !== null && (
        <TakeDialog
          idCustomer={order.idCustomer}
          idFilial={order.idFilial}
          visit={{ id: order.idAppointment, idFilial: order.idFilial }}
          onClose={() => {
            setOpen(undefined)
            void read()
          }}
        />
      )}
    </>
  )
}

function CancelDialog({
  order,
  onDone,
  onClose,
}: {
  order: OrderRow
  onDone: () => Promise<void>
  onClose: () => void
}) {
  const [reason, setReason] = useState<CancelReason | null>(null)
  const [note, setNote] = useState('')
  return (
    <ActionDialog
      title={`Отмена заказа ${order.number ?? ''}`}
      action="Отменить заказ"
      cancel="Не отменять"
      danger
      faults={{ reason: !reason && messages.required }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /laboratory/orders/:id/cancel',
          {
            params: { id: order.id },
            body: { reason: reason as CancelReason, note: note || null, _version: order._version },
          },
          { forbidden: 'toast' },
        )
        await onDone()
        notify.success('Заказ отменён')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {order.paid > 0 && (
            <span>
              Оплачено {formatMoney(order.paid)}: деньги останутся на счёте пациента, вернуть их можно в кассе.
            </span>
          )}
          <Select
            label="Причина"
            required
            data-autofocus
            data={Object.entries(cancelReasons).map(([value, label]) => ({ value, label }))}
            value={reason}
            error={errorOf('reason')}
            onChange={(value) => setReason(value as CancelReason | null)}
          />
          <Textarea
            label="Пояснение"
            autosize
            minRows={2}
            maxLength={500}
            value={note}
            error={errorOf('note')}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}

function Tests({ order }: { order: OrderRow }) {
  const lines = useLines(order.id)
  const [history, setHistory] = useState<number>()
  if (lines.isPending) return <LinesSkeleton lines={6} />
  if (lines.isError) return <ErrorState error={lines.error} onRetry={() => void lines.refetch()} />
  const { items } = lines.data
  if (items.length === 0)
    return (
      <EmptyState
        title={order.status === 'draft' ? 'Заказ ещё не оформлен' : 'Исследований нет'}
        text={
          order.status === 'draft'
            ? 'Оформите его: исследования станут услугами, рассчитаются пробирки и сроки.'
            : undefined
        }
      />
    )
  return (
    <VStack gap={16}>
      {[...Map.groupBy(items, ({ panel }) => panel ?? '')].map(([panel, tests]) => (
        <section key={panel} className={classes.panel}>
          {panel && <h2 className={classes.panelTitle}>{panel}</h2>}
          <TableFrame label={`${panel || 'Исследования'}: таблица`}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th>Показатель</th>
                  <th className={classes.number}>Значение</th>
                  <th>Отметка</th>
                  <th>Норма</th>
                  <th className={classes.number}>Δ, %</th>
                  <th>Состояние</th>
                </tr>
              </thead>
              <tbody>
                {tests.map((test) => (
                  <TestRows key={test.id} test={test} onHistory={setHistory} />
                ))}
              </tbody>
            </table>
          </TableFrame>
        </section>
      ))}
      {history !== undefined && (
        <HistoryDialog idCustomer={order.idCustomer} idAnalyte={history} onClose={() => setHistory(undefined)} />
      )}
    </VStack>
  )
}

const valueStates = {
  raw: 'получен',
  technical: 'проверен технически',
  medical: 'подтверждён',
  corrected: 'исправлен',
  dropped: 'не принят',
} as const

function TestRows({ test, onHistory }: { test: OrderLines['items'][number]; onHistory: (id: number) => void }) {
  const { name, laboratory, isPartner, status, values, dueAt } = test
  const single = values.length === 1 && values[0]?.name === name
  return (
    <>
      {!single && (
        <tr>
          <td colSpan={5}>
            <b>{name}</b> {isPartner && <Fine>{laboratory}</Fine>}
          </td>
          <td>
            <Fine>
              {itemStatuses[status]}
              {status !== 'done' && status !== 'cancelled' && dueAt && ` · к ${formatDateTime(dueAt)}`}
            </Fine>
          </td>
        </tr>
      )}
      {values.map((value) => (
        <tr key={value.id}>
          <td style={single ? undefined : { paddingLeft: 20 }}>
            <button type="button" className="link" onClick={() => onHistory(value.idAnalyte)}>
              {value.name}
            </button>
            {value.comment && <Fine component="div">{value.comment}</Fine>}
            {value.former && (
              <Fine component="div">
                было {valueWords(value.former)}: {value.reason}
              </Fine>
            )}
          </td>
          <td className={classes.number}>
            <b>{valueWords(value.value)}</b> <Muted>{value.unit}</Muted>
          </td>
          <td>
            <FlagMark flag={value.flag} />
          </td>
          <td className="nowrap">{value.normText ?? <Muted>—</Muted>}</td>
          <td className={classes.number}>
            {value.delta === null ? '' : `${value.delta > 0 ? '+' : ''}${value.delta}`}
          </td>
          <td>
            <Fine>{valueStates[value.status]}</Fine>
          </td>
        </tr>
      ))}
    </>
  )
}

function Samples({ order }: { order: OrderRow }) {
  const lines = useLines(order.id)
  if (lines.isPending) return <LinesSkeleton lines={4} />
  if (lines.isError) return <ErrorState error={lines.error} onRetry={() => void lines.refetch()} />
  if (lines.data.samples.length === 0)
    return <EmptyState title="Проб нет" text="Они рассчитываются, когда заказ оформлен." />
  return (
    <VStack gap={12}>
      {lines.data.samples.map((sample) => (
        <section key={sample.id} className={classes.panel}>
          <HStack wrap gap="4px 14px" mb={6}>
            <b className={classes.barcode}>{sample.barcode}</b>
            <SampleBadge status={sample.status} />
            <TubeCap cap={sample.cap} name={sample.container ?? biomaterials[sample.biomaterial]} />
            <Fine>{temperatures[sample.tempMode]}</Fine>
            {sample.rejectReason && <Fine>{rejectReasons[sample.rejectReason]}</Fine>}
          </HStack>
          {sample.steps.length ? (
            <ol style={{ margin: 0, paddingLeft: 18 }}>
              {sample.steps.map((step) => (
                <li key={`${step.status}${step.at}`}>
                  <span className="tabular">{formatDateTime(step.at)}</span> —{' '}
                  {sampleStatuses[step.status].toLowerCase()}
                  <Fine>{[step.author, step.note].filter(Boolean).map((one) => ` · ${one}`)}</Fine>
                </li>
              ))}
            </ol>
          ) : (
            <Muted>Ещё не взята.</Muted>
          )}
        </section>
      ))}
    </VStack>
  )
}
