/** What patients and visitors may send, and how large: told by content and not by name. */
export const CHAT_FILE_TYPES = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'pdf', 'docx', 'ogg', 'mp3', 'm4a', 'wav'] as const
export const CHAT_FILE_MAX = 10 * 1024 * 1024
/** Of one line. */
export const CHAT_FILES = 5
