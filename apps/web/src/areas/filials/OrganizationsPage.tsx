import { BankAccount, InsuranceProgramme, Organization, Signatory } from '@ordinator/model/areas/filials/organization'
import { identifierText } from '@ordinator/model/identifiers'
import { pageByKey } from '@ordinator/model/pages'
import { PrintMenu } from '#areas/prints/index.ts'
import { formatDate } from '#kit/clock.ts'
import { Fine, Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { useList } from '#records/reads.ts'
import { PartList } from '#records/registry/PartList.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'

const organizationFilters = filters(Organization, {
  kind: choice('kind', { label: 'Вид' }),
})

const tabs: RecordParts<typeof Organization>['tabs'] = {
  accounts: { label: 'Счета', panel: ({ id }) => <Accounts idOrganization={id} /> },
  signatories: { label: 'Подписанты', panel: ({ id }) => <Signatories idOrganization={id} /> },
  programmes: {
    label: 'Программы ДМС',
    panel: ({ id }) => <Programmes idOrganization={id} />,
    when: ({ kind }) => kind === 'insurer',
  },
}

/** Организации: the clinic's own and its partners. */
export default function OrganizationsPage() {
  const own = useList(Organization, { filter: { kind: 'own' }, fields: ['id'], limit: 1 }, { forbidden: 'silent' })
  return (
    <RegistryPage
      page={pageByKey('organizations')}
      entity={Organization}
      filters={organizationFilters}
      tabs={tabs}
      // Also while loading: a URL may open the form at once.
      initial={own.data?.items.length ? undefined : { kind: 'own' }}
      isMuted={({ active }) => !active}
      beside={({ id }) => <PrintMenu entity="organizations" id={id} variant="subtle" />}
      wide
    />
  )
}

const Accounts = ({ idOrganization }: { idOrganization: number }) => (
  <PartList
    entity={BankAccount}
    of={{ idOrganization }}
    title="Банковские счета"
    fields={['bik', 'bankName', 'account', 'corrAccount', 'isMain']}
    face={({ bankName, bik, account, corrAccount, isMain }) => (
      <>
        <strong>{bankName}</strong>
        {isMain && <Muted> · основной</Muted>}
        <Fine component="div" className="tabular">
          БИК {bik} · р/с {identifierText('account', account)}
          {corrAccount && ` · к/с ${identifierText('account', corrAccount)}`}
        </Fine>
      </>
    )}
  />
)

const Signatories = ({ idOrganization }: { idOrganization: number }) => (
  <PartList
    entity={Signatory}
    of={{ idOrganization }}
    title="Подписанты"
    fields={['fio', 'post', 'basis']}
    face={({ fio, post, basis }) => (
      <>
        <strong>{fio}</strong>
        <Fine component="div">
          {post}
          {basis && `, на основании ${basis}`}
        </Fine>
      </>
    )}
  />
)

const Programmes = ({ idOrganization }: { idOrganization: number }) => (
  <PartList
    entity={InsuranceProgramme}
    of={{ idOrganization }}
    title="Программы ДМС"
    fields={['name', 'code', 'dateFrom', 'dateTo', 'description', 'active']}
    face={({ name, code, dateFrom, dateTo, active, description }) => (
      <>
        <strong>{name}</strong>
        {!active && <Muted> · не действует</Muted>}
        <Fine component="div" className="tabular">
          {[code, dateFrom && `с ${formatDate(dateFrom)}`, dateTo && `по ${formatDate(dateTo)}`]
            .filter(Boolean)
            .join(' ')}
        </Fine>
        {description && <Fine component="div">{description}</Fine>}
      </>
    )}
  />
)
