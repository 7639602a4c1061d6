import { CashDesk, type KktMode, type TerminalMode, takesByHand } from '@ordinator/model/areas/money/desk'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { useWatch } from 'react-hook-form'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { FormSections, type Sections } from '#records/form/FormSections.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'

const online = ['onlineGroup', 'onlineLogin', 'onlinePassword', 'onlineEmail', 'onlineAddress'] as const
const command = [
  'idAgent',
  'terminalProgram',
  'terminalPay',
  'terminalRefund',
  'terminalFiles',
  'terminalEncoding',
  'terminalApproved',
  'terminalDeclined',
  'terminalRrn',
] as const

/** Device fields by the desk's equipment. */
function sectionsOf(kkt: KktMode, terminal: TerminalMode): Sections {
  const byAgent = kkt === 'atol' ? ['idAgent', 'kktAddress'] : []
  const ofCommand = command.filter((name) => name !== 'idAgent' || kkt !== 'atol')
  return {
    Касса: ['name', 'idFilial', 'idOrganization', 'refundLimit', 'active'],
    'Контрольно-кассовая техника': [
      'kktMode',
      ...byAgent,
      ...(kkt === 'atolOnline' ? online : []),
      ...(kkt === 'none' || kkt === 'outside' ? [] : ['kktModel', 'kktSerial']),
    ],
    'Банковский терминал': [
      'terminalMode',
      ...(terminal === 'command' ? ofCommand : []),
      ...(terminal === 'yookassa' ? ['payShop', 'paySecret'] : []),
      ...(terminal === 'yookassa' || terminal === 'simulator' ? ['isOnline'] : []),
    ],
  }
}

function Form({ desk }: { desk: Row<typeof CashDesk> | undefined }) {
  const [kkt, terminal] = useWatch({ name: ['kktMode', 'terminalMode'] }) as [KktMode | null, TerminalMode | null]
  return (
    <VStack gap={16}>
      <FormSections sections={sectionsOf(kkt ?? 'none', terminal ?? 'none')} autoFocus={!desk} />
      {kkt && !takesByHand({ kktMode: kkt }) && (
        <Fine component="p">
          Эта касса будет только для оплат по ссылке: чеки за них даёт ЮKassa. Наличные и карты принимает другая касса,
          с регистратором чеков.
        </Fine>
      )}
      {terminal === 'yookassa' && (
        <Fine component="p">
          Адрес для уведомлений в кабинете ЮKassa (Интеграция → HTTP-уведомления): {location.origin}/yookassa/notices
        </Fine>
      )}
    </VStack>
  )
}

/** Кассы: organization, register and terminal of each desk. */
export default function CashDesksPage() {
  return (
    <RegistryPage
      page={pageByKey('cashDesks')}
      entity={CashDesk}
      form={(desk) => <Form desk={desk} />}
      isMuted={({ active }) => !active}
    />
  )
}
