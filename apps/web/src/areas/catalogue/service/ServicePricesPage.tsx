import { Badge, Select } from '@mantine/core'
import { Price, PriceList } from '@ordinator/model/areas/catalogue/price'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { WayTo } from '#base/WayTo.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDate, today } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { DateField } from '#kit/DateField.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, Tiles, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { CheckedNumber } from '#records/fields/CheckedNumber.tsx'
import { wrongNumber } from '#records/fields/wrongNumber.ts'
import { invalidateRecords } from '#records/keys.ts'
import { RecordForm } from '#records/RecordForm.tsx'
import { useList } from '#records/reads.ts'
import { useRemove } from '#records/writes.ts'
import classes from './Service.module.css'
import { ServiceFrame } from './ServiceFrame.tsx'

type PriceRow = Row<typeof Price>
const MAX = 500

/** Цены услуги: past, current and future prices by price list. */
export default function ServicePricesPage() {
  return (
    <ServiceFrame page="servicePrices">
      {({ id, priceService }) => <Prices idService={id} own={priceService} />}
    </ServiceFrame>
  )
}

function Prices({ idService, own }: { idService: number; own: number | null }) {
  const lists = useList(PriceList, { sort: ['kind', 'name'], limit: MAX }, { forbidden: 'silent' })
  const prices = useList(Price, { filter: { idService }, sort: '-dateFrom', limit: MAX }, { forbidden: 'silent' })
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<PriceRow>()
  const mayEdit = useCan('create', Price)
  const failed = [lists, prices].find((answer) => answer.isError)
  if (failed)
    return <ErrorState title="Цены не загрузились" error={failed.error} onRetry={() => void failed.refetch()} />
  if (!lists.data || !prices.data) return <LinesSkeleton lines={8} />
  const all = prices.data.items
  const shown = lists.data.items.filter((list) => all.some(({ idPriceList }) => idPriceList === list.id))
  return (
    <VStack gap={16} className={classes.narrow}>
      <HStack justify="space-between" gap={12} wrap>
        <Muted component="p">
          Без прайс-листа: <strong>{own === null ? 'цены нет' : formatMoney(own)}</strong>
        </Muted>
        {mayEdit && lists.data.items.length > 0 && (
          <ActionButton label="Новая цена" icon={IconPlus} onClick={() => setAdding(true)} />
        )}
      </HStack>
      {shown.length === 0 && (
        <EmptyState
          title="В прайс-листах цены нет"
          text={lists.data.items.length ? 'Действует цена самой услуги.' : 'Прайс-листов ещё нет.'}
          action={lists.data.items.length === 0 && <WayTo page="priceLists" label="К прайс-листам" />}
        />
      )}
      {shown.map((list) => (
        <Block key={list.id} component="section" framed p={16} aria-label={list.name}>
          <HStack gap={8} mb={8}>
            <h2 className={classes.title} style={{ margin: 0 }}>
              {list.name}
            </h2>
            {!list.active && (
              <Badge color="gray" variant="light">
                Не действует
              </Badge>
            )}
          </HStack>
          <table className={classes.lines}>
            <tbody>
              {all
                .filter(({ idPriceList }) => idPriceList === list.id)
                .map((price) => (
                  <Line key={price.id} price={price} mayEdit={mayEdit} onEdit={() => setEditing(price)} />
                ))}
            </tbody>
          </table>
        </Block>
      ))}
      {adding && <NewPrice idService={idService} lists={lists.data.items} onClose={() => setAdding(false)} />}
      {editing && (
        <Dialog title="Цена" size={480} onClose={() => setEditing(undefined)}>
          <RecordForm
            entity={Price}
            record={editing}
            onSaved={() => setEditing(undefined)}
            onCancel={() => setEditing(undefined)}
          />
        </Dialog>
      )}
    </VStack>
  )
}

function Line({ price, mayEdit, onEdit }: { price: PriceRow; mayEdit: boolean; onEdit: () => void }) {
  const { dateFrom, dateTo, cost } = price
  const remove = useRemove(Price, { message: 'Цена удалена' })
  const now = today()
  const when = dateFrom > now ? 'future' : dateTo !== null && dateTo < now ? 'past' : 'now'
  const period = `с ${formatDate(dateFrom)}${dateTo ? ` по ${formatDate(dateTo)}` : ''}`
  return (
    <tr>
      <th scope="row">
        <HStack gap={8} wrap>
          <span>{period}</span>
          {when === 'now' && <Badge variant="light">Сейчас</Badge>}
          {when === 'future' && (
            <Badge color="blue" variant="light">
              Будет
            </Badge>
          )}
        </HStack>
      </th>
      <td>
        <HStack justify="flex-end" gap="2px 8px" wrap>
          {typeof cost === 'number' && <Muted component="span">себестоимость {formatMoney(cost)}</Muted>}
          {when === 'past' ? <Muted component="span">{formatMoney(price.price)}</Muted> : formatMoney(price.price)}
          {mayEdit && (
            <>
              <IconButton icon={IconPencil} label={`Изменить цену ${period}`} onClick={onEdit} />
              <IconButton icon={IconTrash} label={`Удалить цену ${period}`} onClick={() => remove.mutate(price.id)} />
            </>
          )}
        </HStack>
      </td>
    </tr>
  )
}

interface NewProps {
  idService: number
  lists: readonly Row<typeof PriceList>[]
  onClose: () => void
}

/** A price from a day on; the former one ends automatically. */
function NewPrice({ idService, lists, onClose }: NewProps) {
  const cache = useQueryClient()
  const main = lists.find(({ kind, active }) => kind === 'main' && active) ?? lists[0]
  const [list, setList] = useState(main ? String(main.id) : null)
  const [price, setPrice] = useState<number | string | null>(null)
  const [cost, setCost] = useState<number | string | null>(null)
  const [dateFrom, setDateFrom] = useState<string | null>(today())
  const run = async () => {
    const body = {
      idPriceList: Number(list),
      price: Number(price),
      dateFrom: dateFrom ?? '',
      ...(cost !== null && { cost: Number(cost) }),
    }
    const send = (more: { replace?: true } = {}) =>
      api(
        'POST /services/:id/new-price',
        { params: { id: idService }, body: { ...body, ...more } },
        { forbidden: 'toast' },
      )
    try {
      await send()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'asks') throw error
      const question = { title: 'Заменить цену?', message: errorMessage(error), confirm: 'Заменить' }
      if (!(await confirm(question))) return false
      await send({ replace: true })
    }
    await invalidateRecords(cache, Price.path)
    notify.success('Цена добавлена')
    return undefined
  }
  return (
    <ActionDialog
      title="Новая цена"
      action="Добавить"
      size={520}
      run={run}
      onClose={onClose}
      faults={{
        price: wrongNumber(Price.fields.price, price, true),
        cost: wrongNumber(Price.fields.cost, cost),
        dateFrom: !dateFrom && 'Обязательное поле',
      }}
    >
      {(errorOf) => (
        <>
          <Select
            label="Прайс-лист"
            data={lists.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={list}
            error={errorOf('idPriceList')}
            onChange={setList}
          />
          <Tiles tile={200} fit gap={16}>
            <CheckedNumber
              {...money}
              f={Price.fields.price}
              label="Цена"
              required
              value={price}
              error={errorOf('price')}
              onChange={setPrice}
            />
            <CheckedNumber
              {...money}
              f={Price.fields.cost}
              label="Себестоимость"
              value={cost}
              error={errorOf('cost')}
              onChange={setCost}
            />
          </Tiles>
          <DateField
            label="Действует с"
            description="Прежняя цена закончится днём раньше"
            required
            value={dateFrom}
            error={errorOf('dateFrom')}
            onChange={setDateFrom}
          />
        </>
      )}
    </ActionDialog>
  )
}

const money = { digits: 2, unit: '₽' } as const
