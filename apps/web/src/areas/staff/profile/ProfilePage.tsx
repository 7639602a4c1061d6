import { Tabs, Title } from '@mantine/core'
import { useAddress } from '#base/address.ts'
import { asText, type Search } from '#base/redirect.ts'
import { useAccount } from '#base/session.ts'
import { PageHead } from '#kit/PageHead.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { personName } from '#kit/UserAvatar.tsx'
import { TabStrip } from '#records/registry/TabStrip.tsx'
import { FactorList } from '../factors/FactorList.tsx'
import { SessionList } from '../sessions/SessionList.tsx'
import { AvatarEditor } from './AvatarEditor.tsx'
import { OwnContacts } from './OwnContacts.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import classes from './Profile.module.css'
import { ExaminationTab, MainTab, NotificationsTab } from './SettingsTabs.tsx'
import { SipPhone } from './SipPhone.tsx'

const tabs = {
  main: 'Интерфейс',
  notifications: 'Уведомления',
  examinations: 'Осмотры',
  security: 'Вход и безопасность',
} as const

type Tab = keyof typeof tabs

const readTab = (search: Search): { tab: Tab } => {
  const tab = asText(search.tab) as Tab
  return { tab: Object.hasOwn(tabs, tab ?? '') ? tab : 'main' }
}

/** Мой профиль: own data and settings. */
export default function ProfilePage() {
  const { identity, roles } = useAccount().user
  const [{ tab }, setAddress] = useAddress(readTab)
  const under = [identity.post, roles.map((role) => role.name).join(', ')].filter(Boolean).join(' · ')
  return (
    <>
      <PageHead
        title={identity.fio || personName(identity)}
        help={under || 'Должность не указана'}
        start={<AvatarEditor />}
      />
      <div className={classes.page}>
        <VStack component="section" gap={16} framed p={16} aria-label="Контакты">
          <OwnContacts />
          <SipPhone />
        </VStack>
        <Tabs
          value={tab}
          onChange={(value) => setAddress({ tab: (value as Tab | null) ?? 'main' }, { replace: true })}
          keepMounted={false}
          miw={0}
        >
          <TabStrip active={tab}>
            {Object.entries(tabs).map(([key, label]) => (
              <Tabs.Tab key={key} value={key}>
                {label}
              </Tabs.Tab>
            ))}
          </TabStrip>
          <Tabs.Panel value="main" className={classes.panel}>
            <MainTab />
          </Tabs.Panel>
          <Tabs.Panel value="notifications" className={classes.panel}>
            <NotificationsTab />
          </Tabs.Panel>
          <Tabs.Panel value="examinations" className={classes.panel}>
            <ExaminationTab />
          </Tabs.Panel>
          <Tabs.Panel value="security" className={classes.panel}>
            <section className={classes.block}>
              <Title order={2} size="h3" mt={16} mb={4}>
                Смена пароля
              </Title>
              <PasswordForm />
            </section>
            <section className={classes.block}>
              <Title order={2} size="h3" mt={16} mb={4}>
                Второй фактор
              </Title>
              <FactorList />
            </section>
            <section className={classes.block}>
              <Title order={2} size="h3" mt={16} mb={4}>
                Открытые сеансы
              </Title>
              <SessionList />
            </section>
          </Tabs.Panel>
        </Tabs>
      </div>
    </>
  )
}
