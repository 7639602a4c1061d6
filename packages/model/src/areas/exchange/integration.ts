/** Mode of the connection to an outside system. */
export const adapterModes = {
  prod: 'Рабочий режим',
  test: 'Тестовый режим',
  simulator: 'Имитатор',
  off: 'Не подключено',
} as const
export type AdapterMode = keyof typeof adapterModes

/** State of the connection. */
export const adapterStates = {
  works: 'Работает',
  fails: 'Не работает',
  unknown: 'Ещё не проверялось',
  off: 'Не подключено',
} as const
export type AdapterState = keyof typeof adapterStates

/** Settings pages of systems; the others are configured on the server. */
export const adapterPages = [
  'attachmentSettings',
  'bookingChannels',
  'cashDesks',
  'chatChannels',
  'connections',
  'deskAgents',
  'elnSettings',
  'mdlp',
  'sosnils',
  'webhooks',
] as const
/** Settings of the clinic that switch the mode of a system. */
export const modeSettings = ['smsMode', 'mailMode', 'mdlpMode', 'llmMode', 'asrMode', 'metrikaMode'] as const
export type ModeSetting = (typeof modeSettings)[number]
/** Days before a certificate's expiry from which a warning is shown. */
export const CERTIFICATE_DAYS = 14

/** Minutes of failure after which administrators are notified. */
export const NOTIFY_AFTER_MINUTES = 15
/** Errors of a day are counted up to this number. */
export const MOST_ERRORS = 1_000
