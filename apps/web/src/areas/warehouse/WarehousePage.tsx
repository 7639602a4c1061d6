import { holds } from '@ordinator/model/access'
import { WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconPlus, IconShoppingCart } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { TableScroll } from './TableScroll.tsx'
import { useStock } from './useCall.ts'
import classes from './Warehouse.module.css'
import { amount, Expiry } from './words.tsx'

const page = pageByKey('warehouse')

/** Склад: pending work, expiring batches, proposed orders. */
export default function WarehousePage() {
  const go = useGo()
  const mayEdit = holds(useActor(), 'editWarehouse')
  const found = useStock(['summary'], (signal) => api('GET /warehouse/summary', {}, { signal }))
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          mayEdit && (
            <ActionButton
              label="Новый документ"
              icon={IconPlus}
              onClick={() => void go({ page: 'warehouseDocuments', search: { open: 'new' } })}
            />
          )
        }
      />
      <div className={classes.page} aria-busy={found.isFetching || undefined}>
        {found.data ? (
          <>
            <div className={classes.tiles}>
              <Tile
                count={found.data.drafts}
                label="Черновики"
                page="warehouseDocuments"
                search={{ status: 'draft' }}
              />
              <Tile
                count={found.data.inTransit}
                label="Перемещения в пути"
                page="warehouseDocuments"
                search={{ status: 'inTransit' }}
              />
              <Tile count={found.data.counting} label="Идут подсчёты" page="inventory" />
              <Tile
                count={found.data.expired}
                label="Партии с истёкшим сроком"
                page="warehouseGoods"
                search={{ only: 'expired' }}
                bad
              />
              <Tile
                count={found.data.expiring}
                label="Срок скоро истечёт"
                page="warehouseGoods"
                search={{ only: 'expiring' }}
              />
              <Tile count={found.data.low} label="Ниже минимума" page="warehouseGoods" search={{ only: 'low' }} bad />
              <Tile count={found.data.blocked} label="Карантин и отзыв" page="batches" />
              <Tile count={found.data.mdlpIncoming} label="Входящие МДЛП" page="mdlp" />
              <Tile count={found.data.mdlpFailed} label="Отклонено в МДЛП" page="mdlp" search={{ tab: 'out' }} bad />
              <div className={classes.tile}>
                <b className="tabular">{formatMoney(found.data.cost)}</b>
                <span>Себестоимость остатков</span>
              </div>
            </div>
            <div className={classes.parts}>
              <section className={classes.part}>
                <h2>Сроки годности</h2>
                {found.data.soon.length === 0 ? (
                  <Muted>Ближайшие 30 дней ничего не истекает</Muted>
                ) : (
                  <TableScroll label="Сроки годности: таблица">
                    <table className={classes.table}>
                      <thead>
                        <tr>
                          <th>Товар</th>
                          <th>Серия</th>
                          <th>Годен до</th>
                          <th data-number>Остаток</th>
                        </tr>
                      </thead>
                      <tbody>
                        {found.data.soon.map((row) => (
                          <tr key={`${row.idBatch}-${row.idWarehouse}`}>
                            <td className={classes.name}>
                              <PageLink page="warehouseGoods" search={{ good: row.idProduct }}>
                                {row.name}
                              </PageLink>
                              <br />
                              <Muted>{row.warehouse}</Muted>
                            </td>
                            <td>{row.series ?? '—'}</td>
                            <td>
                              <Expiry day={row.expiry} />
                            </td>
                            <td data-number>{amount(row.qty, row.unit)}</td>
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  </TableScroll>
                )}
              </section>
              <Order />
            </div>
          </>
        ) : found.isError ? (
          <ErrorState title="Склад не загрузился" error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <LinesSkeleton lines={10} />
        )}
      </div>
    </>
  )
}

interface TileProps {
  count: number
  label: string
  page: 'warehouseDocuments' | 'warehouseGoods' | 'inventory' | 'batches' | 'mdlp'
  search?: Record<string, string>
  bad?: boolean
}

function Tile({ count, label, page: to, search, bad }: TileProps) {
  return (
    <PageLink page={to} search={search ?? {}} className={classes.tile} data-tone={bad && count > 0 ? 'bad' : undefined}>
      <b className="tabular">{formatNumber(count)}</b>
      <span>{label}</span>
    </PageLink>
  )
}

const MAX_SHOWN = 15

function Order() {
  const mayEdit = holds(useActor(), 'editWarehouse')
  const [ordering, setOrdering] = useState(false)
  const found = useStock(['order'], (signal) => api('GET /warehouse/order', {}, { signal }))
  const items = found.data?.items ?? []
  return (
    <section className={classes.part}>
      <HStack justify="space-between" wrap>
        <h2>Пора заказать</h2>
        {mayEdit && items.length > 0 && (
          <ActionButton
            label="Составить заказ"
            size="xs"
            variant="default"
            icon={IconShoppingCart}
            onClick={() => setOrdering(true)}
          />
        )}
      </HStack>
      {items.length === 0 ? (
        <Muted>{found.isPending ? 'Считаем…' : 'Всего хватает. Минимум и максимум задают в карточке товара'}</Muted>
      ) : (
        <>
          <TableScroll label="Пора заказать: таблица">
            <table className={classes.table}>
              <thead>
                <tr>
                  <th>Товар</th>
                  <th data-number>Есть</th>
                  <th data-number>Минимум</th>
                  <th data-number>Заказать</th>
                  <th>Поставщик</th>
                </tr>
              </thead>
              <tbody>
                {items.slice(0, MAX_SHOWN).map((row) => (
                  <tr key={row.idProduct}>
                    <td className={classes.name}>{row.name}</td>
                    <td data-number>{amount(row.stock, row.unit)}</td>
                    <td data-number>{formatNumber(row.minStock)}</td>
                    <td data-number>
                      <b>{amount(row.qty, row.unit)}</b>
                    </td>
                    <td>{row.supplier ?? <Muted>—</Muted>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableScroll>
          {items.length > MAX_SHOWN && <Muted>И ещё {items.length - MAX_SHOWN}</Muted>}
        </>
      )}
      {ordering && <OrderDialog onClose={() => setOrdering(false)} />}
    </section>
  )
}

/** Creates draft receipts from the proposal, one per supplier. */
function OrderDialog({ onClose }: { onClose: () => void }) {
  const go = useGo()
  const cache = useQueryClient()
  const [idWarehouse, setWarehouse] = useState<number | null>(null)
  return (
    <ActionDialog
      title="Составить заказ"
      action="Создать черновики"
      faults={{ idWarehouse: idWarehouse === null && 'Выберите склад' }}
      run={async () => {
        const { documents } = await api('POST /warehouse/order/drafts', {
          body: { idWarehouse: idWarehouse as number },
        })
        await invalidateRecords(cache, WarehouseDocument.path)
        const [only, ...more] = documents
        if (only !== undefined && more.length === 0) return void go({ page: 'warehouseDocument', params: { id: only } })
        notify.success(`Черновиков поступлений: ${documents.length}`)
        void go({ page: 'warehouseDocuments', search: { status: 'draft' } })
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <Muted>
            Каждому поставщику — черновик поступления с ценами последней поставки. Количества можно поправить.
          </Muted>
          <RefSelect
            to="warehouses"
            filter={{ active: true }}
            label="Куда поступит"
            required
            value={idWarehouse}
            onChange={setWarehouse}
            error={errorOf('idWarehouse')}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}
