import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  chatJournal: () => import('./ChatJournalPage.tsx'),
  chatChannels: () => import('./ChannelsPage.tsx'),
  socialsVk: () => import('./VkPage.tsx'),
  domainmap: () => import('./DomainsPage.tsx'),
  dialogs: () => import('./online/DialogsPage.tsx'),
  onlineJournal: () => import('./online/OnlineJournalPage.tsx'),
  serviceOnline: () => import('./online/ServiceOnlinePage.tsx'),
  liveAssist: () => import('./LiveAssistPage.tsx'),
  customerChats: () => import('./CustomerChatsPage.tsx'),
} satisfies Screens
