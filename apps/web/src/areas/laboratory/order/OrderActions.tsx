import { allowed, holds } from '@ordinator/model/access'
import { ordersEdit, publishedView, samplesEdit } from '@ordinator/model/areas/laboratory/access'
import { LabOrder } from '@ordinator/model/areas/laboratory/order'
import { cancelReasons, type OrderStep, wrongOrderStep } from '@ordinator/model/areas/laboratory/states'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
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
  IconTestPipe,
  IconX,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { TakeDialog } from '#areas/money/index.ts'
import { useGo } from '#base/address.ts'
import { api, apiUrl } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { PageLink } from '#base/PageLink.tsx'
import { saveFile } from '#base/saveFile.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { notify } from '#kit/notify.tsx'
import { ReasonDialog } from '#kit/ReasonDialog.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { readLaboratory, useLines } from '../reads.ts'

export type OrderRow = Row<typeof LabOrder>

const papers = {
  order: 'Заказ с ценами и подготовкой',
  referral: 'Направление',
  contract: 'Договор',
  result: 'Бланк результата',
} as const

export function OrderActions({ order }: { order: OrderRow }) {
  const { id, number, status, paidStatus, _version } = order
  const actor = useActor()
  const go = useGo()
  const cache = useQueryClient()
  const [open, setOpen] = useState<'cancel' | 'pay'>()
  const lines = useLines(id)
  const can = (step: OrderStep) => wrongOrderStep(step, status) === undefined
  const mayEdit = allowed(actor, ordersEdit)
  const seesValues = allowed(actor, publishedView)
  const read = async () => {
    await invalidateRecords(cache, LabOrder.path)
    await readLaboratory(cache)
  }
  const confirm = useMutation({
    mutationFn: () =>
      api('POST /laboratory/orders/:id/place', { params: { id }, body: { _version } }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSuccess: async () => {
      await read()
      notify.success('Заказ оформлен')
    },
  })
  const issue = useMutation({
    mutationFn: (by: 'paper' | 'email' | 'portal' | 'chat') =>
      api('POST /laboratory/orders/:id/issue', { params: { id }, body: { by } }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSuccess: async () => {
      await read()
      notify.success('Выдача результата записана')
    },
  })
  const params = { id }
  const print = (kind: keyof typeof papers) =>
    saveFile(
      apiUrl('GET /laboratory/orders/:id/paper', { params, query: { kind } }),
      `${papers[kind]} ${number}.pdf`,
      'Не распечатано',
    )
  const labels = () =>
    saveFile(
      apiUrl('GET /laboratory/orders/:id/labels', { params }),
      `Этикетки ${number}.pdf`,
      'Этикетки не напечатаны',
    )
  const partnerPaper = () =>
    saveFile(
      apiUrl('GET /laboratory/orders/:id/partner-paper', { params }),
      `Бланк партнёра ${number}.pdf`,
      'Бланк партнёра не открыт',
    )
  const semd = useMutation({
    mutationFn: () => api('POST /egisz/semds/make', { body: { source: 'laboratory', id } }, { forbidden: 'toast' }),
    onError: notifyFailure,
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
      {status === 'placed' && paidStatus !== 'unpaid' && paidStatus !== 'part' && allowed(actor, samplesEdit) && (
        <ActionButton
          label="Взять пробы"
          icon={IconTestPipe}
          renderRoot={(props) => <PageLink {...props} page="labSamples" />}
        />
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
          .filter((kind) => (kind === 'result' ? can('issue') && seesValues : isPlaced))
          .map((kind) => (
            <MenuItem key={kind} label={papers[kind]} icon={IconFileTypePdf} onClick={() => void print(kind)} />
          ))}
        {lines.data?.hasPartnerPaper && seesValues && (
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
  return (
    <ReasonDialog
      title={`Отмена заказа ${order.number ?? ''}`}
      action="Отменить заказ"
      cancel="Не отменять"
      reasons={cancelReasons}
      intro={
        order.paid > 0 &&
        `Оплачено ${formatMoney(order.paid)}: деньги останутся на счёте пациента, вернуть их можно в кассе.`
      }
      onClose={onClose}
      send={async (reason, note) => {
        await api(
          'POST /laboratory/orders/:id/cancel',
          { params: { id: order.id }, body: { reason, note: note || null, _version: order._version } },
          { forbidden: 'toast' },
        )
        await onDone()
        notify.success('Заказ отменён')
      }}
    />
  )
}
