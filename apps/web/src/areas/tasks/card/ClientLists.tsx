import { Alert, Box, Textarea } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { ClientList, ClientListItem } from '@ordinator/model/areas/tasks/clientList'
import { totalOf } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { phoneOf, phoneText } from '@ordinator/model/phone'
import { IconLock, IconPhonePlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerChip, findByPhones, searchCustomers } from '#areas/customers/index.ts'
import { errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import type { SectionProps } from './SectionProps.ts'
import { ThingFrame, ThingsState } from './ThingFrame.tsx'
import classes from './Things.module.css'
import { type Thing, useThings } from './useThings.ts'

const MAX_NAME = 255
const MAX_SHOWN = 500
/** Maximum phones per search. */
const MAX_PHONES = 300

const clients = ['клиент', 'клиента', 'клиентов'] as const

type ListRow = Row<typeof ClientList>
type Lists = ReturnType<typeof useClientLists>

export const useClientLists = (idTask: number) =>
  useThings<ListRow>(idTask, 'clientlist', ClientList, 'Список клиентов удалён')

/** Customers of the task. */
export function ClientLists(props: SectionProps & { lists: Lists; fresh: number | undefined }) {
  const { lists, fresh } = props
  return (
    <>
      <ThingsState pending={lists.pending && lists.things.length === 0} error={lists.error} retry={lists.retry} />
      {lists.things.map((thing, at) => (
        <OneList
          key={thing.record.id}
          thing={thing}
          lists={lists}
          at={at}
          fresh={fresh === thing.record.id}
          mayEdit={props.mayEdit}
        />
      ))}
    </>
  )
}

interface OneListProps {
  thing: Thing<ListRow>
  lists: Lists
  at: number
  fresh: boolean
  mayEdit: boolean
}

function OneList({ thing, lists, at, fresh, mayEdit }: OneListProps) {
  const { id, name } = thing.record
  const seesCustomers = useCan('view', Customer)
  const [pasting, setPasting] = useState<string>()
  const items = useList(
    ClientListItem,
    {
      filter: { idClientList: id },
      sort: 'order',
      limit: seesCustomers ? MAX_SHOWN : 0,
      count: true,
      ...(seesCustomers ? { expand: ['customer'] } : {}),
    },
    { forbidden: 'silent' },
  )
  const rows = items.data?.items ?? []
  const total = totalOf(items.data?._meta)
  const save = useSave(ClientListItem)
  const remove = useRemove(ClientListItem, { message: 'Клиент убран из списка' })
  const held = new Set(rows.map((row) => row.idCustomer))
  return (
    <ThingFrame
      thing={thing}
      kind="Список клиентов"
      maxName={MAX_NAME}
      mayEdit={mayEdit}
      fresh={fresh}
      isFirst={at === 0}
      isLast={at === lists.things.length - 1}
      facts={total !== undefined && <Fine flex="none">{counted(total, clients)}</Fine>}
      menu={
        seesCustomers && <MenuItem label="Добавить по телефонам…" icon={IconPhonePlus} onClick={() => setPasting('')} />
      }
      onName={(written) => lists.change(id, { name: written })}
      onStep={(step) => lists.step(thing, step)}
      onPut={lists.put}
      onRemove={() => lists.remove(thing)}
    >
      {seesCustomers ? (
        <>
          {rows.length > 0 && (
            <ul aria-label={`Клиенты: ${name}`}>
              {rows.map(
                (row) =>
                  row.customer && (
                    <li key={row.id}>
                      <CustomerChip
                        customer={row.customer}
                        onRemove={mayEdit ? () => remove.mutate(row.id) : undefined}
                      />
                    </li>
                  ),
              )}
            </ul>
          )}
          {total !== undefined && total > rows.length && rows.length === MAX_SHOWN && (
            <HStack component="p" gap={6} c="dimmed">
              Показаны первые {MAX_SHOWN}
            </HStack>
          )}
          {items.isSuccess && total === 0 && !mayEdit && (
            <HStack component="p" gap={6} c="dimmed">
              Клиентов нет
            </HStack>
          )}
          {items.isError && (
            <HStack component="p" gap={6} c="dimmed" role="alert">
              Клиенты не загрузились: {errorMessage(items.error)}
            </HStack>
          )}
          {mayEdit && (
            <Box
              maw={420}
              onPasteCapture={(event) => {
                const text = event.clipboardData.getData('text/plain')
                if (phonesOf(text).phones.length < 2) return
                event.preventDefault()
                setPasting(text)
              }}
            >
              <AjaxSelect
                aria-label={`Добавить клиента: ${name}`}
                placeholder="Добавить: фамилия, телефон, почта, должность"
                load={async (text, signal) =>
                  (await searchCustomers(text, signal)).filter((option) => !held.has(option.value))
                }
                value={null}
                onChange={(option) => option && save.mutate({ idClientList: id, idCustomer: option.value })}
              />
            </Box>
          )}
        </>
      ) : (
        <HStack component="p" gap={6} c="dimmed">
          <IconLock size={14} aria-hidden /> Имена и телефоны видят те, у кого есть право смотреть клиентов
        </HStack>
      )}
      {pasting !== undefined && (
        <PhonesDialog idClientList={id} held={held} text={pasting} onClose={() => setPasting(undefined)} />
      )}
    </ThingFrame>
  )
}

interface Report {
  added: number
  there: number
  missing: string[]
}

/** Adds customers by phones, and reports unknown ones. */
function PhonesDialog(props: { idClientList: number; held: ReadonlySet<number>; text: string; onClose: () => void }) {
  const { idClientList, held, onClose } = props
  const cache = useQueryClient()
  const [text, setText] = useState(props.text)
  const [report, setReport] = useState<Report>()
  const { phones, wrong } = phonesOf(text)
  const run = async () => {
    setReport(undefined)
    try {
      const found = await findByPhones(phones)
      const ids = [...new Set([...found.values()].flat())]
      const fresh = ids.filter((one) => !held.has(one))
      if (fresh.length)
        await records.batch(ClientListItem, { create: fresh.map((idCustomer) => ({ idClientList, idCustomer })) })
      const missing = [...phones.filter((phone) => !found.has(phone)).map(phoneText), ...wrong]
      setReport({ added: fresh.length, there: ids.length - fresh.length, missing })
    } finally {
      await invalidateRecords(cache, ClientListItem.path)
    }
    // Stays open for the report and more phones.
    return false
  }
  const tooMany = phones.length > MAX_PHONES
  return (
    <ActionDialog
      title="Добавить клиентов по телефонам"
      size="md"
      action={`Найти и добавить${phones.length > 0 ? `: ${phones.length}` : ''}`}
      cancel="Закрыть"
      failed="Не добавлены"
      disabled={phones.length === 0 || tooMany}
      run={run}
      onClose={onClose}
    >
      <Textarea
        label="Телефоны"
        description={`По одному в строке или через запятую, в любом виде; до ${MAX_PHONES} за раз`}
        autosize
        minRows={5}
        maxRows={12}
        value={text}
        error={tooMany ? `Здесь ${phones.length}: разделите на части` : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {report && <PhonesReport report={report} />}
    </ActionDialog>
  )
}

function PhonesReport({ report: { added, there, missing } }: { report: Report }) {
  return (
    <Alert
      color={missing.length ? 'yellow' : 'teal'}
      classNames={{ title: classes.reportTitle }}
      mt="sm"
      role="status"
      title={`Добавлено: ${counted(added, clients)}`}
    >
      {there > 0 && <div>Уже были в списке: {there}</div>}
      {missing.length > 0 && (
        <>
          <div>Не найдены: {missing.length}</div>
          <ul>
            {missing.map((phone) => (
              <li key={phone} className="tabular">
                {phone}
              </li>
            ))}
          </ul>
        </>
      )}
    </Alert>
  )
}

/** Distinct phones of a text, and invalid parts. */
function phonesOf(text: string): { phones: string[]; wrong: string[] } {
  const phones = new Set<string>()
  const wrong = new Set<string>()
  for (const piece of text.split(/[\n,;\t]+/)) {
    const written = piece.trim()
    if (!written) continue
    const phone = phoneOf(written)
    if (phone) phones.add(phone)
    else wrong.add(written)
  }
  return { phones: [...phones], wrong: [...wrong] }
}
