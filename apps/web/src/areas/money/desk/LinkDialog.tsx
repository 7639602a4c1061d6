import { Text, TextInput } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { IconPrinter, IconQrcode, IconRefresh, IconSend } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { CopyField } from '#kit/CopyField.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { readMoney, useBalance, useOperationKey } from '../reads.ts'
import { printLink } from './printLink.ts'

/** Milliseconds between questions about a link that is on the screen. */
const EVERY_MS = 5_000

interface Made {
  id: number
  status: string
  url: string
  sum: number
  about: string
  payee: { name: string; phone: string | null }
  dateTo: string
  error: string | null
  qr: { size: number; path: string } | null
}

interface Props {
  /** Of ЮKassa; absent: the first of them. */
  idDesk?: number
  idCustomer?: number
  onClose: () => void
}

/** Remote payment: a link to send, and a QR code to show at the desk. */
export function LinkDialog({ idDesk, idCustomer: given, onClose }: Props) {
  const [key] = useOperationKey()
  const [idCustomer, setCustomer] = useState<number | null>(given ?? null)
  const [sum, setSum] = useState<number | string | null>(null)
  const [about, setAbout] = useState('')
  const [contact, setContact] = useState('')
  const [made, setMade] = useState<Made>()
  const { data: balance } = useBalance(idCustomer)
  const asked = sum ?? ((balance?.debt ?? 0) > 0 ? (balance?.debt ?? null) : null)
  if (made) return <Shown made={made} onClose={onClose} />
  return (
    <ActionDialog
      title="Ссылка на оплату"
      size={480}
      action="Создать"
      faults={{
        idCustomer: idCustomer === null && 'Выберите клиента',
        sum: typeof asked !== 'number' && 'Укажите сумму',
      }}
      run={async () => {
        setMade(
          await api(
            'POST /payment-links/make',
            {
              body: {
                key,
                ...(idDesk !== undefined && { idDesk }),
                idCustomer: idCustomer as number,
                sum: asked as number,
                ...(about.trim() && { about: about.trim() }),
                ...(contact.trim() && { contact: contact.trim() }),
              },
            },
            { forbidden: 'toast' },
          ),
        )
        return false
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {given === undefined && (
            <RefSelect
              to={Customer.path}
              label="Клиент"
              required
              autoFocus
              placeholder="Имя, телефон или дата рождения"
              value={idCustomer}
              error={errorOf('idCustomer')}
              onChange={setCustomer}
            />
          )}
          <NumberField label="Сумма" digits={2} unit="₽" value={asked} error={errorOf('sum')} onChange={setSum} />
          <TextInput
            label="За что"
            description="Увидит пациент; пусто — «Медицинские услуги»"
            maxLength={128}
            value={about}
            error={errorOf('about')}
            onChange={(event) => setAbout(event.currentTarget.value)}
          />
          <TextInput
            label="Чек на телефон или почту"
            description="Пусто — на почту или телефон из карты клиента"
            maxLength={255}
            value={contact}
            error={errorOf('contact')}
            onChange={(event) => setContact(event.currentTarget.value)}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}

const words: Readonly<Record<string, string>> = {
  waiting: 'Ждём оплаты',
  paid: 'Оплачено',
  cancelled: 'Отменена',
  expired: 'Истекла',
  disputed: 'Нужно разобраться',
}

/** The link with its QR code. */
export function Shown({ made, onClose }: { made: Made; onClose: () => void }) {
  const cache = useQueryClient()
  const [link, setLink] = useState(made)
  const [busy, setBusy] = useState(false)
  const [isSbp, setSbp] = useState(false)
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      notify.error(errorMessage(error))
    }
    setBusy(false)
  }
  const params = { id: link.id }
  const send = () =>
    act(async () => {
      await api('POST /payment-links/:id/send', { params }, { forbidden: 'toast' })
      notify.success('Ссылка уйдёт пациенту сообщением: чатом, СМС или письмом')
    })
  const showSbp = () =>
    act(async () => {
      setLink(await api('POST /payment-links/:id/sbp', { params }, { forbidden: 'toast' }))
      setSbp(true)
    })
  const isWaiting = link.status === 'waiting'
  /** The code on the screen stays what the patient is shown. */
  const take = (now: Made) => {
    setLink((before) => ({ ...now, qr: before.qr }))
    if (now.status !== 'paid') return
    notify.success(`Оплачено ${formatMoney(now.sum)}`)
    void readMoney(cache)
  }
  const ask = () => act(async () => take(await api('POST /payment-links/:id/ask', { params }, { forbidden: 'toast' })))
  // The cashier and the patient look at the code: what becomes of it is seen by itself.
  const { data: current } = useQuery({
    queryKey: ['payment-link-now', link.id],
    queryFn: ({ signal }) =>
      api('POST /payment-links/:id/ask', { params }, { signal, quiet: true, forbidden: 'silent' }),
    enabled: isWaiting,
    refetchInterval: EVERY_MS,
    retry: false,
    gcTime: 0,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer counts once
  useEffect(() => {
    if (current && isWaiting && current.status !== 'waiting') take(current)
  }, [current])
  return (
    <Dialog title="Ссылка на оплату" size={420} onClose={onClose}>
      <VStack gap={12}>
        <Text fz={32} fw={700} ta="center" className="tabular">
          {formatMoney(link.sum)}
        </Text>
        {link.qr && isWaiting && (
          <svg
            role="img"
            aria-label={isSbp ? 'QR СБП' : 'QR для оплаты'}
            viewBox={`-2 -2 ${link.qr.size + 4} ${link.qr.size + 4}`}
            width={220}
            height={220}
            style={{ alignSelf: 'center', background: '#fff' }}
          >
            <path d={link.qr.path} fill="#000" />
          </svg>
        )}
        <Text ta="center" role="status">
          {words[link.status] ?? link.status}
          {link.error && `: ${link.error}`}
        </Text>
        <CopyField label="Ссылка для пациента" value={link.url} />
        <Fine component="p">
          <PageLink page="paymentLinks">Все ссылки на оплату</PageLink>
        </Fine>
        {isWaiting && (
          <Fine component="p">Действует до {formatDay(link.dateTo)}. Пациент платит картой или по СБП.</Fine>
        )}
        {isWaiting && (
          <HStack wrap gap={8}>
            <ActionButton
              label="Отправить пациенту"
              icon={IconSend}
              variant="default"
              disabled={busy}
              onClick={() => void send()}
            />
            <ActionButton
              label="QR СБП"
              icon={IconQrcode}
              variant="default"
              disabled={busy || isSbp}
              onClick={() => void showSbp()}
            />
            {/* A code of СБП lives for minutes: paper is for the page of the link. */}
            {link.qr && !isSbp && (
              <ActionButton label="Напечатать" icon={IconPrinter} variant="default" onClick={() => printLink(link)} />
            )}
          </HStack>
        )}
        <HStack>
          {isWaiting && (
            <ActionButton label="Проверить оплату" icon={IconRefresh} loading={busy} onClick={() => void ask()} />
          )}
          <ActionButton label="Закрыть" variant="default" onClick={onClose} />
        </HStack>
      </VStack>
    </Dialog>
  )
}
