/**
 * File types and size limit for files of patients and visitors; the type is detected from the content, not the name.
 */
export const CHAT_FILE_TYPES = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'pdf', 'docx', 'ogg', 'mp3', 'm4a', 'wav'] as const
export const CHAT_FILE_MAX = 10 * 1024 * 1024
/** Per line. */
export const CHAT_FILES = 5
