/** What the notifications area publishes to others. */

export { askPopupPermission, popupPermission } from './alerts.ts'
export { openNotices } from './noticePanel.ts'
export { readAllNotices } from './readAllNotices.ts'
export { useReminding } from './useAlerts.ts'
