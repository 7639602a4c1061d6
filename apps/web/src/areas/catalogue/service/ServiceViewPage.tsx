import { allowed } from '@ordinator/model/access'
import { amountText, ServiceConsumable } from '@ordinator/model/areas/catalogue/consumable'
import { ServiceDuration, ServicePerformer, visitKinds } from '@ordinator/model/areas/catalogue/performer'
import { type FoundPrice, Price, PriceList, priceOf, priceSources } from '@ordinator/model/areas/catalogue/price'
import { SERVICE, Service } from '@ordinator/model/areas/catalogue/service'
import { salesAccess } from '@ordinator/model/areas/visits/visit'
import { formatMoney, formatMonth, formatNumber } from '@ordinator/model/format'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { today } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { FieldValue } from '#records/FieldValue.tsx'
import { HistoryList } from '#records/HistoryList.tsx'
import { RichText } from '#records/RichText.tsx'
import { useList } from '#records/reads.ts'
import { PerformedBy } from './PerformedBy.tsx'
import classes from './Service.module.css'
import { ServiceFrame, type ServiceRow } from './ServiceFrame.tsx'

const MAX = 500
const quiet = { forbidden: 'silent' } as const

/** Карточка услуги: description, prices, performers, duration. */
export default function ServiceViewPage() {
  const maySeeSales = allowed(useActor(), salesAccess)
  return (
    <ServiceFrame page="service">
      {(service) => (
        <div className={classes.card}>
          <VStack gap={16}>
            <Facts service={service} />
            {service.description && (
              <Part title="Описание">
                <RichText html={service.description} />
              </Part>
            )}
            {service.preparation && (
              <Part title="Подготовка">
                <RichText html={service.preparation} />
              </Part>
            )}
            <Part title="История">
              <HistoryList entity={Service} id={service.id} limit={5} parts />
            </Part>
          </VStack>
          <VStack gap={16}>
            <PricesToday service={service} />
            <Performers service={service} />
            <Durations idService={service.id} />
            <Materials idService={service.id} />
            {maySeeSales && <Sales idService={service.id} />}
          </VStack>
        </div>
      )}
    </ServiceFrame>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Block component="section" framed p={16} aria-label={title}>
    <h2 className={classes.title}>{title}</h2>
    {children}
  </Block>
)

/** Shown if not empty. */
const facts = [
  'shortNameService',
  'code',
  'medicalCode',
  'article',
  'labCode',
  'barcode',
  'gtin',
  'unit',
  'remains',
  'minStock',
  'maxStock',
  'packUnit',
  'packRatio',
  'storage',
  'inn',
  'dosageForm',
  'dosage',
  'manufacturer',
  'regNumber',
  'isDrug',
  'isMarked',
  'isPku',
  'vatCode',
  'paymentSubject',
  'taxExpensive',
  'sex',
  'contractRequired',
  'activeShop',
  'friendlyUrl',
  'userChange',
  'dateChange',
] as const satisfies readonly (keyof typeof Service.fields)[]

function Facts({ service }: { service: ServiceRow }) {
  const ages = agesOf(service)
  return (
    <Part title="Сведения">
      <dl className={classes.facts}>
        {facts
          .filter((name) => service[name] !== null && service[name] !== false && service[name] !== '')
          .map((name) => (
            <Fact key={name} label={Service.fields[name].options.label}>
              <FieldValue f={Service.fields[name]} value={service[name]} row={service} />
            </Fact>
          ))}
        {ages && <Fact label="Возраст">{ages}</Fact>}
      </dl>
    </Part>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
)

function agesOf({ ageFrom, ageTo }: ServiceRow): string | undefined {
  if (ageFrom === null && ageTo === null) return undefined
  return [ageFrom !== null && `от ${ageFrom}`, ageTo !== null && `до ${ageTo}`, 'лет'].filter(Boolean).join(' ')
}

/** Today's prices: of the main list, of each branch, and of each company with a list. */
function PricesToday({ service }: { service: ServiceRow }) {
  const lists = useList(PriceList, { filter: { active: true }, limit: MAX }, quiet)
  const prices = useList(Price, { filter: { idService: service.id }, limit: MAX }, quiet)
  const failed = [lists, prices].find(({ isError }) => isError)
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!lists.data || !prices.data) return <LinesSkeleton lines={3} />
  const date = today()
  const find = (asked: object): FoundPrice =>
    priceOf(service.priceService, prices.data.items, lists.data.items, { date, ...asked })
  const usual = find({})
  const rows = lists.data.items.flatMap(({ idFilial, idOrganization, idProgramme, name, kind }) => {
    if (idFilial === null && idOrganization === null) return []
    const found = find({ idFilial, idOrganization, idProgramme })
    return found.price === usual.price || (kind === 'main' && found.source !== 'filial') ? [] : [{ name, found }]
  })
  return (
    <Part title="Цена сегодня">
      <table className={classes.lines}>
        <tbody>
          <PriceLine name={priceSources[usual.source]} price={usual.price} about={service.approximately} strong />
          {rows.map(({ name, found }) => (
            <PriceLine key={name} name={name} price={found.price} />
          ))}
        </tbody>
      </table>
    </Part>
  )
}

interface PriceLineProps {
  name: string
  price: number | null
  about?: boolean
  strong?: boolean
}

const PriceLine = ({ name, price, about, strong }: PriceLineProps) => (
  <tr>
    <th scope="row">{name}</th>
    <td style={{ fontWeight: strong ? 600 : undefined }}>
      {about && price !== null && 'от '}
      {price === null ? 'нет цены' : formatMoney(price)}
    </td>
  </tr>
)

function Performers({ service: { id: idService, performedBy, serviceCategory } }: { service: ServiceRow }) {
  const list = useList(
    ServicePerformer,
    { filter: { idService, allowed: true }, expand: ['user', 'filial'], limit: MAX },
    quiet,
  )
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LinesSkeleton lines={3} />
  return (
    <Part title="Кто оказывает">
      {list.data.items.length === 0 && serviceCategory === SERVICE && <PerformedBy id={idService} by={performedBy} />}
      <table className={classes.lines}>
        <tbody>
          {list.data.items.map(({ id, user, filial }) => (
            <tr key={id}>
              <th scope="row">{user && <UserLink user={user}>{user.fio}</UserLink>}</th>
              <td>
                <Muted component="span">{filial?.nameFilial ?? 'Все филиалы'}</Muted>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  )
}

function Durations({ idService }: { idService: number }) {
  const list = useList(ServiceDuration, { filter: { idService }, expand: ['user', 'filial'], limit: MAX }, quiet)
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LinesSkeleton lines={2} />
  return (
    <Part title="Длительность">
      {list.data.items.length === 0 && (
        <Muted component="p">
          Не указана:{' '}
          <PageLink page="serviceDuration" search={{ id: idService }}>
            указать длительность
          </PageLink>
        </Muted>
      )}
      <table className={classes.lines}>
        <tbody>
          {list.data.items.map(({ id, user, filial, visit, minutes, breakAfter }) => (
            <tr key={id}>
              <th scope="row">
                {user && <UserLink user={user} />}
                {user && (filial || visit) && ', '}
                {[filial?.nameFilial, visit && visitKinds[visit]].filter(Boolean).join(', ') || (!user && 'Для всех')}
              </th>
              <td>
                {minutes}
                {breakAfter > 0 && ` + ${breakAfter}`} мин
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  )
}

/** Materials of the service; hidden without any. */
function Materials({ idService }: { idService: number }) {
  const list = useList(ServiceConsumable, { filter: { idService }, expand: ['product'], limit: MAX }, quiet)
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LinesSkeleton lines={2} />
  if (list.data.items.length === 0) return null
  return (
    <Part title="Расходные материалы">
      <table className={classes.lines}>
        <tbody>
          {list.data.items.map(({ id, product, qty, unit, optional }) => (
            <tr key={id}>
              <th scope="row">
                {product?.nameService ?? '—'}
                {optional && <Muted component="span"> · по необходимости</Muted>}
              </th>
              <td>{amountText(qty, unit, product)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  )
}

/** Sales of the service by month, over a year. */
function Sales({ idService }: { idService: number }) {
  const answer = useQuery({
    queryKey: [Service.path, idService, 'sales'],
    queryFn: ({ signal }) => api('GET /services/:id/sales', { params: { id: idService } }, { signal, ...quiet }),
  })
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <LinesSkeleton lines={4} />
  const given = answer.data.months.toReversed().filter(({ qty }) => qty > 0)
  const most = Math.max(...given.map(({ sum }) => sum))
  return (
    <Part title="Продажи за 12 месяцев">
      {given.length === 0 && <Muted component="p">За год услугу не оказывали</Muted>}
      <table className={classes.lines}>
        <tbody>
          {given.map(({ month, qty, sum }) => (
            <tr key={month}>
              <th scope="row">
                {formatMonth(month)} <Muted component="span">{formatNumber(qty)}</Muted>
              </th>
              <td className={classes.measured} style={{ backgroundSize: `${most > 0 ? (sum / most) * 100 : 0}% 2px` }}>
                {formatMoney(sum)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  )
}
