import { SegmentedControl, TextInput } from '@mantine/core'
import { can } from '@ordinator/model/access'
import { PayerContract } from '@ordinator/model/areas/payers/contract'
import { PayerRegistry, RegistryLine } from '@ordinator/model/areas/payers/registry'
import { cutTargets, registryLineStates, registryStates } from '@ordinator/model/areas/payers/rules'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { counted, formatDay, formatMoney } from '@ordinator/model/format'
import { IconCash, IconDownload, IconFileUpload, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerLink } from '#areas/customers/index.ts'
import { ImportDialog } from '#areas/imports/index.ts'
import { useOperationKey } from '#areas/money/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { type Answer, api, apiUrl } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { saveFile } from '#base/saveFile.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { useCarry } from '#records/useCarry.ts'

type Registry = Row<typeof PayerRegistry>
type Line = Row<typeof RegistryLine>
const ROWS = 500

type Opened = 'pay' | 'answer' | { cut: Line } | { settle: Line }

/** A registry: what is lacking, the files, sending, the payer's answer line by line, the payment. */
export function RegistryPanel({ registry }: { registry: Registry }) {
  const { id, state } = registry
  const { again, carry } = useCarry(PayerRegistry.path, RegistryLine.path)
  const [open, setOpen] = useState<Opened>()
  const lines = useList(
    RegistryLine,
    { filter: { idRegistry: id }, expand: ['customer', 'line.service'], limit: ROWS },
    { forbidden: 'silent' },
  )
  const lacks = useQuery({
    queryKey: ['records', PayerRegistry.path, 'lacks', id],
    queryFn: ({ signal }) =>
      api('GET /payer-registries/:id/lacks', { params: { id } }, { signal, forbidden: 'silent' }),
    enabled: state === 'draft',
  })
  const lacking = lacks.data?.items
  return (
    <VStack gap={16}>
      <Summary registry={registry} />
      <Buttons registry={registry} isComplete={lacking?.length === 0} carry={carry} onOpen={setOpen} />
      {lacking && lacking.length > 0 && <Lacks lacking={lacking} />}
      {lines.isError ? (
        <ErrorState error={lines.error} onRetry={() => void lines.refetch()} />
      ) : lines.isPending ? (
        <LinesSkeleton lines={4} />
      ) : lines.data.items.length === 0 ? (
        <EmptyState title="Услуг нет" text="В этом месяце по договору ничего не оказано" />
      ) : (
        <Lines lines={lines.data.items} state={state} onOpen={setOpen} />
      )}
      {open && <Dialogs registry={registry} open={open} onDone={again} onClose={() => setOpen(undefined)} />}
    </VStack>
  )
}

const Summary = ({ registry }: { registry: Registry }) => (
  <Block framed p={12}>
    <strong>{registryStates[registry.state]}</strong>: {counted(registry.lines, ['услуга', 'услуги', 'услуг'])} на{' '}
    {formatMoney(registry.claimed)}
    <Fine component="div">
      Принято {formatMoney(registry.accepted)} · снято {formatMoney(registry.cut)} · не решено{' '}
      {formatMoney(registry.open)} · оплачено {formatMoney(registry.paid)}
      {registry.dateDue && ` · оплатить до ${formatDay(registry.dateDue)}`}
    </Fine>
  </Block>
)

interface ButtonsProps {
  registry: Registry
  /** Nothing is lacking. */
  isComplete: boolean
  carry: ReturnType<typeof useCarry>['carry']
  onOpen: (what: Opened) => void
}

function Buttons({ registry, isComplete, carry, onOpen }: ButtonsProps) {
  const { id, state } = registry
  const mayEdit = can(useActor(), 'create', PayerContract)
  const save = (format: 'xlsx' | 'dbf') =>
    saveFile(
      apiUrl('GET /payer-registries/:id/file', { params: { id }, query: { format } }),
      `Реестр ${registry.month.slice(0, 7)}.${format}`,
    )
  return (
    <HStack wrap>
      <ActionButton label="XLSX" variant="default" icon={IconDownload} onClick={() => void save('xlsx')} />
      <ActionButton label="DBF" variant="default" icon={IconDownload} onClick={() => void save('dbf')} />
      {state !== 'draft' && <PrintMenu entity={PayerRegistry.path} id={id} label="Счёт и акт" />}
      {mayEdit && state === 'draft' && (
        <ActionButton
          label="Отправлен плательщику"
          icon={IconSend}
          disabled={registry.lines === 0 || !isComplete}
          onClick={() =>
            void carry('Реестр не отправлен', async () => {
              await api('POST /payer-registries/:id/send', { params: { id } })
              notify.success('Реестр отправлен: его строки больше не меняются')
            })
          }
        />
      )}
      {mayEdit && state === 'sent' && (
        <ActionButton
          label="Ответ плательщика"
          variant="default"
          icon={IconFileUpload}
          onClick={() => onOpen('answer')}
        />
      )}
      {mayEdit && state === 'sent' && registry.open > 0 && (
        <ActionButton
          label="Принять всё остальное"
          variant="default"
          onClick={() =>
            void carry('Ответ не записан', () =>
              api('POST /payer-registries/:id/decide', { params: { id }, body: { isRestAccepted: true, lines: [] } }),
            )
          }
        />
      )}
      {mayEdit && state === 'sent' && registry.accepted > registry.paid && (
        <ActionButton label="Оплата плательщика" icon={IconCash} onClick={() => onOpen('pay')} />
      )}
    </HStack>
  )
}

type Lacking = Answer<'GET /payer-registries/:id/lacks'>['items'][number]

const Lacks = ({ lacking }: { lacking: readonly Lacking[] }) => (
  <section aria-label="Чего не хватает">
    <h3>Чего не хватает</h3>
    <VStack component="ul" gap={4}>
      {lacking.map(({ idLine, idCustomer, idAppointment, patient, service, lacks: what }) => (
        <li key={idLine}>
          <PageLink page="customer" search={{ id: idCustomer }}>
            {patient}
          </PageLink>
          ,{' '}
          <PageLink page="calendar" search={{ visit: idAppointment }}>
            {service}
          </PageLink>
          <Fine component="div">{what.join(', ')}</Fine>
        </li>
      ))}
    </VStack>
  </section>
)

interface LinesProps {
  lines: readonly Expanded<typeof RegistryLine, 'customer' | 'line.service'>[]
  state: Registry['state']
  onOpen: (what: Opened) => void
}

function Lines({ lines, state, onOpen }: LinesProps) {
  const mayEdit = can(useActor(), 'create', PayerContract)
  return (
    <VStack component="ul" gap={4}>
      {lines.map((line) => (
        <HStack key={line.id} component="li" framed px={12} py={6} gap={12} justify="space-between" wrap>
          <Block grow miw={200} className="breaks">
            {line.customer && <CustomerLink customer={line.customer} />} · {line.line?.service?.nameService}
            <Fine component="div">
              {registryLineStates[line.state]}
              {line.cut > 0 && ` · снято ${formatMoney(line.cut)}`}
              {line.reason && `: ${line.reason}`}
              {line.reasonCode && ` (код ${line.reasonCode})`}
            </Fine>
          </Block>
          <span className="tabular nowrap">{formatMoney(line.sum)}</span>
          {mayEdit && state === 'sent' && line.state === 'claimed' && (
            <ActionButton label="Снято…" variant="default" onClick={() => onOpen({ cut: line })} />
          )}
          {mayEdit && state !== 'draft' && line.state === 'cut' && (
            <ActionButton label="Решить снятое…" variant="default" onClick={() => onOpen({ settle: line })} />
          )}
        </HStack>
      ))}
    </VStack>
  )
}

interface DialogsProps extends DialogProps {
  registry: Registry
  open: Opened
}

function Dialogs({ registry, open, onDone, onClose }: DialogsProps) {
  if (open === 'pay') return <PayDialog registry={registry} onDone={onDone} onClose={onClose} />
  if (open !== 'answer')
    return 'cut' in open ? (
      <CutDialog registry={registry} line={open.cut} onDone={onDone} onClose={onClose} />
    ) : (
      <SettleDialog line={open.settle} onDone={onDone} onClose={onClose} />
    )
  return (
    <ImportDialog
      kind="payer-cuts"
      title={`Ответ на реестр № ${registry.number}`}
      hint="XLSX, CSV или DBF: «№» строки реестра, или «Полис», «Дата услуги» и «Код услуги»; «Снято» или «Принято», «Причина», «Код причины». Строки, которых в таблице нет, останутся без ответа"
      params={{ idRegistry: registry.id }}
      template
      onClose={() => {
        onClose()
        void onDone()
      }}
    />
  )
}

interface DialogProps {
  onDone: () => Promise<void>
  onClose: () => void
}

function CutDialog({ registry, line, onDone, onClose }: DialogProps & { registry: Registry; line: Line }) {
  return (
    <FormDialog
      title={`Снято из ${formatMoney(line.sum)}`}
      action="Записать"
      draft={{ cut: line.sum as number | null, code: '', reason: '' }}
      names={{ cut: 'lines.0.cut', reason: 'lines.0.reason', code: 'lines.0.code' }}
      required={{ cut: 'Укажите сумму', reason: 'Укажите причину' }}
      send={({ cut, code, reason }) =>
        api('POST /payer-registries/:id/decide', {
          params: { id: registry.id },
          body: { lines: [{ id: line.id, cut: cut as number, reason, code: code || undefined }] },
        })
      }
      done={onDone}
      onClose={onClose}
    >
      {({ number, text }) => (
        <>
          <NumberField label="Снято" required digits={2} unit="₽" {...number('cut')} />
          <TextInput label="Код" maxLength={32} {...text('code')} />
          <TextInput label="Причина" required maxLength={500} {...text('reason')} />
        </>
      )}
    </FormDialog>
  )
}

function SettleDialog({ line, onDone, onClose }: DialogProps & { line: Line }) {
  const [key] = useOperationKey()
  return (
    <FormDialog
      title={`Снято ${formatMoney(line.cut)}: что дальше`}
      action={({ as }) => cutTargets[as]}
      draft={{ as: 'reissue' as keyof typeof cutTargets, reason: '' }}
      required={{ reason: 'Укажите причину' }}
      send={({ as, reason }) =>
        api('POST /payer-registries/lines/:id/settle', { params: { id: line.id }, body: { key, as, reason } })
      }
      done={onDone}
      onClose={onClose}
    >
      {({ choice, text }) => (
        <>
          <SegmentedControl
            fullWidth
            aria-label="Что дальше"
            data={Object.entries(cutTargets).map(([value, label]) => ({ value, label }))}
            {...choice('as')}
          />
          <TextInput label="Причина" required maxLength={500} {...text('reason')} />
        </>
      )}
    </FormDialog>
  )
}

function PayDialog({ registry, onDone, onClose }: DialogProps & { registry: Registry }) {
  const [key] = useOperationKey()
  return (
    <FormDialog
      title="Оплата плательщика"
      action="Записать оплату"
      draft={{
        sum: (Math.round((registry.accepted - registry.paid) * 100) / 100) as number | null,
        date: today() as string | null,
        document: '',
      }}
      required={{ sum: 'Укажите сумму', date: 'Укажите день', document: 'Укажите номер платёжного поручения' }}
      send={({ sum, date, document }) =>
        api('POST /payer-registries/:id/pay', {
          params: { id: registry.id },
          body: { key, sum: sum as number, date: date as string, document },
        })
      }
      done={onDone}
      onClose={onClose}
    >
      {({ number, value, text }) => (
        <>
          <NumberField label="Сумма" required digits={2} unit="₽" {...number('sum')} />
          <DateField label="День выписки" required {...value('date')} />
          <TextInput label="Платёжное поручение №" required maxLength={64} {...text('document')} />
        </>
      )}
    </FormDialog>
  )
}
