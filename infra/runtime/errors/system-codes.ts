/** The meanings of the codes of failed system calls. Users know few of these codes. */
const meanings: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'another program uses this address',
  EADDRNOTAVAIL: 'this machine does not have this address',
  EBUSY: 'another program uses it',
  EDQUOT: 'the disk quota of this user is used up',
  EEXIST: 'it already exists',
  EFBIG: 'the file is too large for the file system or the limits of this process',
  EILSEQ: 'the file system does not accept the characters of the name',
  EINVAL: 'the system does not accept this operation or name',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'links lead back to themselves',
  EMFILE: 'this process has too many open files',
  ENAMETOOLONG: 'a name in the path, or the whole path, is too long',
  ENFILE: 'this machine has too many open files',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  ENOTFOUND: 'the name of the host is unknown',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
  ERR_INVALID_ARG_VALUE: 'the path has a NUL character',
  ESTALE: 'the network file system no longer has the file',
  ETXTBSY: 'another program uses it',
};

/** Returns a code with its meaning, such as `EACCES: permission denied`. A code without a known meaning stays as it is. */
export function explained(code: string): string {
  return Object.hasOwn(meanings, code) ? `${code}: ${meanings[code]}` : code;
}
