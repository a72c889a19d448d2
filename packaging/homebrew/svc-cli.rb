# The formula for Homebrew. The release fills in VERSION and SHA256, and attaches the file.
class SvcCli < Formula
  desc "Administer a Novu-compatible notification service, and test against it"
  homepage "https://www.npmjs.com/package/svc-cli"
  url "https://registry.npmjs.org/svc-cli/-/svc-cli-VERSION.tgz"
  sha256 "SHA256"
  license "MIT"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("lib/node_modules/svc-cli/man/*.1")
    man7.install_symlink libexec.glob("lib/node_modules/svc-cli/man/*.7")
    generate_completions_from_executable(bin/"svc", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/svc --version")
    assert_match "announcements", shell_output("#{bin}/svc sandbox exec -- svc topics list -o ids")
  end
end
