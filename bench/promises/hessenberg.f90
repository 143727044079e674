! SPDX-License-Identifier: MIT
! hessenberg LEADING: LAPACK's DGGHRD of two matrices of 256 by 256, whose columns lie LEADING elements apart.
program hessenberg
  implicit none
  integer, parameter :: n = 256
  integer :: leading, i, j, info
  character(20) :: word
  double precision, allocatable :: a(:, :), b(:, :)
  double precision :: unused(1, 1)
  call get_command_argument(1, word)
  read (word, *) leading
  allocate (a(leading, n), b(leading, n))
  do j = 1, n
    do i = 1, n
      a(i, j) = 1d0 / (i + j)
      b(i, j) = merge(1d0 / (1 + j - i), 0d0, i <= j)
    end do
    a(j, j) = a(j, j) + 1
  end do
  call dgghrd('N', 'N', n, 1, n, a, leading, b, leading, unused, 1, unused, 1, info)
  print '(F18.10)', a(1, 1) + a(n, n) + a(n / 2, n / 2)
end program
