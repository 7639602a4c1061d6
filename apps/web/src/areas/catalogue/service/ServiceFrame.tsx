import { Badge, Button } from '@mantine/core'
import { Service, serviceCategories } from '@ordinator/model/areas/catalogue/service'
import type { Expanded } from '@ordinator/model/client'
import { type PageKey, pageAllowed, pageByKey } from '@ordinator/model/pages'
import { IconArrowLeft, IconFileUnknown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PrintMenu } from '#areas/prints/index.ts'
import { useAddress } from '#base/address.ts'
import { ApiError } from '#base/apiError.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { useRecordTitle } from '#base/title.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { Revealed, RevealTogether } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block } from '#kit/Stacks.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import siblings from '#kit/siblings.module.css'
import { useRecord } from '#records/reads.ts'
import { readService } from '../address.ts'
import classes from './Service.module.css'

export type ServiceRow = Expanded<typeof Service, 'group' | 'type'>

/** Height of the tabs in pixels. */
const TABS = 32

/** Pages of a service, in order of their links (spec §2). */
const children = {
  service: 'Карточка',
  serviceUsers: 'Врачи',
  servicePrices: 'Цены',
  serviceDuration: 'Длительность',
  serviceEdit: 'Изменить',
} as const satisfies Partial<Record<PageKey, string>>
type Child = keyof typeof children

interface Props {
  page: Child
  children: (service: ServiceRow) => ReactNode
}

/** Shared header and tabs of a service's pages. */
export function ServiceFrame({ page, children: contents }: Props) {
  const actor = useActor()
  const [{ id }] = useAddress(readService)
  const answer = useRecord(Service, id, { expand: ['group', 'type'] }, { forbidden: 'page' })
  const service = answer.data
  useRecordTitle(service?.nameService)
  if (id === undefined || (answer.error instanceof ApiError && answer.error.status === 404))
    return (
      <StatePage
        icon={IconFileUnknown}
        title={id === undefined ? 'Услуга не выбрана' : 'Услуга не найдена'}
        text={id === undefined ? 'Выберите её в каталоге.' : 'Возможно, её удалили.'}
        actions={<Button renderRoot={(props) => <PageLink page="services" {...props} />}>К каталогу</Button>}
      />
    )
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  const waits = (
    <div className={classes.body}>
      <LinesSkeleton lines={8} />
    </div>
  )
  return (
    <RevealTogether key={id} busy={!service}>
      <PageHead
        title={service?.nameService ?? pageByKey(page).title}
        help={service && helpOf(service)}
        start={
          <IconButton
            icon={IconArrowLeft}
            label="К списку: Услуги и товары"
            renderRoot={(props) => <PageLink page="services" {...props} />}
          />
        }
        actions={
          service && (
            <>
              {!service.active && (
                <Badge color="gray" size="lg" variant="light">
                  Не действует
                </Badge>
              )}
              <PrintMenu entity="services" id={service.id} />
            </>
          )
        }
      >
        <Revealed fallback={<Block h={TABS} />}>
          <nav className={siblings.siblings} aria-label="Страницы услуги">
            {(Object.keys(children) as Child[])
              .filter((key) => pageAllowed(pageByKey(key), actor))
              .map((key) => (
                <PageLink
                  key={key}
                  page={key}
                  search={{ id }}
                  className={siblings.sibling}
                  aria-current={key === page ? 'page' : undefined}
                >
                  {children[key]}
                </PageLink>
              ))}
          </nav>
        </Revealed>
      </PageHead>
      <Revealed fallback={waits}>
        <div className={classes.body}>{service && contents(service)}</div>
      </Revealed>
    </RevealTogether>
  )
}

const helpOf = ({ serviceCategory, code, group, type }: ServiceRow): string =>
  [serviceCategories[serviceCategory], code, group?.nameServiceGroup, type?.nameServiceType].filter(Boolean).join(' · ')
