import { TextInput } from '@mantine/core'
import { Service } from '@ordinator/model/areas/catalogue/service'
import { InsuranceProgramme } from '@ordinator/model/areas/filials/organization'
import type { PayerContract } from '@ordinator/model/areas/payers/contract'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { FormDialog } from '#kit/FormDialog.tsx'
import { Block } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'

interface Props {
  contract: Row<typeof PayerContract>
  onClose: () => void
}

/** Tries a service on a programme: which rule decides, and who pays how much. */
export function CheckDialog({ contract, onClose }: Props) {
  const [found, setFound] = useState<Answer<'POST /payer-contracts/:id/check'>>()
  return (
    <FormDialog
      title="Проверить услугу на программе"
      action="Проверить"
      draft={{ idProgramme: null as number | null, idService: null as number | null, diagnosis: '' }}
      required={{ idProgramme: 'Выберите программу', idService: 'Выберите услугу' }}
      send={async ({ idProgramme, idService, diagnosis }) => {
        setFound(
          await api('POST /payer-contracts/:id/check', {
            params: { id: contract.id },
            body: {
              idProgramme: idProgramme as number,
              idService: idService as number,
              diagnosis: diagnosis.trim() || null,
            },
          }),
        )
        return false
      }}
      done={() => false}
      onClose={onClose}
    >
      {({ text, value }) => (
        <>
          <RefSelect
            to={InsuranceProgramme.path}
            filter={{ idOrganization: contract.idPayer }}
            label="Программа"
            required
            {...value('idProgramme')}
          />
          <RefSelect to={Service.path} label="Услуга" required {...value('idService')} />
          <TextInput label="Диагноз, МКБ-10" placeholder="K02.1" maxLength={10} {...text('diagnosis')} />
          {found && (
            <Block framed p={12} role="status">
              <strong>{found.words}</strong>
              <Fine component="div">
                {found.rule === null ? 'Ни одно правило не подошло' : `Правило № ${found.rule}`} · цена{' '}
                {formatMoney(found.total)}: плательщик {formatMoney(found.payer)}, пациент {formatMoney(found.patient)}
              </Fine>
            </Block>
          )}
        </>
      )}
    </FormDialog>
  )
}
