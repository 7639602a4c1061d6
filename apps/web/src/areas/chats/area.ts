import {
  IconBrandVk,
  IconDeviceMobileMessage,
  IconDeviceMobileSearch,
  IconHeadset,
  IconMessageBolt,
  IconMessageSearch,
  IconPlugConnected,
  IconUsersGroup,
  IconWorldPin,
} from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const chats = {
  icons: {
    chats: IconHeadset,
    chatJournal: IconMessageSearch,
    onlineJournal: IconDeviceMobileSearch,
    serviceOnline: IconDeviceMobileMessage,
    suggestions: IconMessageBolt,
    domainmap: IconWorldPin,
    operatorGroups: IconUsersGroup,
    chatChannels: IconPlugConnected,
    socialsVk: IconBrandVk,
  },
  screens: {
    chatJournal: () => import('./ChatJournalPage.tsx'),
    chatChannels: () => import('./ChannelsPage.tsx'),
    socialsVk: () => import('./VkPage.tsx'),
    domainmap: () => import('./DomainsPage.tsx'),
    dialogs: () => import('./online/DialogsPage.tsx'),
    onlineJournal: () => import('./online/OnlineJournalPage.tsx'),
    serviceOnline: () => import('./online/ServiceOnlinePage.tsx'),
    liveAssist: () => import('./LiveAssistPage.tsx'),
    customerChats: () => import('./CustomerChatsPage.tsx'),
  },
} satisfies Area
