import { Badge } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import {
  certificateKinds,
  certificatePurposes,
  PowerOfAttorney,
  SignatureCertificate,
} from '@ordinator/model/areas/signatures/certificate'
import type { Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconFileCheck, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { refs } from '#records/filters/ref.tsx'
import { RecordFields } from '#records/form/RecordFields.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { PartList } from '#records/registry/PartList.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { CertificateState } from './CertificateState.tsx'
import { FindCertificates } from './FindCertificates.tsx'
import { PluginState } from './PluginState.tsx'
import { TestSign } from './TestSign.tsx'
import { VerifyDialog } from './VerifyDialog.tsx'

type Certificate = Row<typeof SignatureCertificate>

const kindColors = { qualified: 'teal', unqualified: 'blue', test: 'yellow' } as const

const columns: readonly ColumnSpec<Certificate>[] = [
  { key: 'owner', width: 280 },
  { key: 'purpose', width: 150, cell: ({ purpose }) => certificatePurposes[purpose] },
  {
    key: 'kind',
    width: 150,
    cell: ({ kind }) => (
      <Badge color={kindColors[kind]} variant="light" tt="none" fw={500}>
        {certificateKinds[kind]}
      </Badge>
    ),
  },
  { key: 'dateTo', width: 215, cell: (certificate) => <CertificateState {...certificate} /> },
  { key: 'idUser', width: 180 },
  { key: 'issuer', width: 220 },
  { key: 'thumbprint', width: 320, cell: ({ thumbprint }) => <Muted className="tabular">{thumbprint}</Muted> },
]

const certificateFilters = filters(SignatureCertificate, {
  purpose: choice('purpose', { any: 'Любое назначение' }),
  kind: choice('kind', { any: 'Любой вид' }),
  user: refs('idUser', { label: 'Сотрудник', any: 'Любой сотрудник' }),
})

const tabs: RecordParts<typeof SignatureCertificate>['tabs'] = {
  powers: {
    label: 'МЧД',
    panel: ({ id, ogrn }) => (
      <VStack gap={12}>
        {!ogrn && <Fine>В сертификате нет ОГРН клиники: для СФР нужна машиночитаемая доверенность.</Fine>}
        <PartList
          entity={PowerOfAttorney}
          of={{ idCertificate: id }}
          title="Доверенности"
          fields={['number', 'dateFrom', 'dateTo', 'powers']}
          face={({ number, dateFrom, dateTo, powers }) => (
            <VStack gap={2}>
              <strong>{number}</strong>
              <Fine>
                {formatDay(dateFrom)} — {formatDay(dateTo)}
              </Fine>
              {powers && <Muted>{powers}</Muted>}
            </VStack>
          )}
        />
      </VStack>
    ),
  },
  test: { label: 'Проверка', panel: (certificate) => <TestSign key={certificate.id} certificate={certificate} /> },
}

const form = (certificate: Certificate | undefined) => (
  <>
    {certificate && (
      <VStack gap={4}>
        <CertificateState {...certificate} />
        <Fine>{certificate.issuer}</Fine>
        {certificate.organization && <Fine>{certificate.organization}</Fine>}
        <Fine>
          {[
            certificate.snils && `СНИЛС ${certificate.snils}`,
            certificate.ogrn && `ОГРН ${certificate.ogrn}`,
            certificate.inn && `ИНН ${certificate.inn}`,
          ]
            .filter(Boolean)
            .join(', ')}
        </Fine>
        <Fine>Отпечаток {certificate.thumbprint}</Fine>
      </VStack>
    )}
    <RecordFields names={['purpose', 'idUser', 'active']} />
  </>
)

/** Электронные подписи: certificates with validity, and signature checks. */
export default function CryptoPage() {
  const actor = useActor()
  const [opens, setOpens] = useState<'find' | 'verify'>()
  return (
    <>
      <RegistryPage
        page={pageByKey('crypto')}
        entity={SignatureCertificate}
        columns={columns}
        filters={certificateFilters}
        tabs={tabs}
        form={form}
        isMuted={({ active }) => !active}
        removable={holds(actor, 'manageSignatures')}
        tools={
          <HStack wrap>
            <ActionButton
              label="Проверить подпись"
              icon={IconFileCheck}
              variant="default"
              onClick={() => setOpens('verify')}
            />
            <ActionButton label="Найти сертификаты" icon={IconSearch} onClick={() => setOpens('find')} />
          </HStack>
        }
        layout={(list) => (
          <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
            <PluginState />
            {list}
          </VStack>
        )}
      />
      {opens === 'find' && <FindCertificates onClose={() => setOpens(undefined)} />}
      {opens === 'verify' && <VerifyDialog onClose={() => setOpens(undefined)} />}
    </>
  )
}
